#include <gtest/gtest.h>

#include "cornu/ops/all.h"
#include "tests/gradient/check_gradient.h"

/// Gradients of whole losses, where many rules meet; the single rules are checked by the conformance table.
namespace cornu::inline v0::tests {
namespace {

using ir::DType;
using Values = std::span<const ir::Value>;

ir::Literal weights(ir::Dims dims, std::uint64_t seed) {
  return random_literal({DType::kF64, std::move(dims)}, seed);
}

ir::Value dense(ir::Builder& b, ir::Value x, ir::Value kernel, ir::Value bias) {
  const ir::Value product = ops::matmul(b, x, kernel);
  return ops::add(b, product, ops::broadcast_to(b, bias, product.dims()));
}

ir::Value mean(ir::Builder& b, ir::Value x) {
  const ir::Value sum = ops::reduce_sum(b, x, {0, 1});
  return ops::divide(b, sum, ops::scalar(b, x.dtype(), static_cast<double>(x.type().num_elements())));
}

TEST(GradientTest, ReluSoftmaxLogCosh) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const ir::Value hidden = ops::relu(b, dense(b, v[0], v[1], v[2]));
    const ir::Value y = ops::softmax(b, dense(b, hidden, v[3], v[4]));
    return mean(b, ops::log_cosh(b, ops::subtract(b, y, v[5])));
  };
  EXPECT_EQ(check_gradient(loss, {weights({5, 4}, 1), weights({4, 8}, 2), weights({8}, 3), weights({8, 3}, 4),
                                  weights({3}, 5), weights({5, 3}, 6)}),
            "");
}

TEST(GradientTest, SparseCrossEntropyOverAnEmbedding) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const ir::Value embedded = ops::tanh(b, ops::gather_rows(b, v[0], v[2]));
    const ir::Value log_probabilities = ops::log_softmax(b, ops::matmul(b, embedded, v[1]));
    const ir::Value classes = ops::iota(b, {DType::kI32, log_probabilities.dims()}, 1);
    const ir::Value labels = ops::broadcast_leading(b, v[3], log_probabilities.dims());
    const ir::Value hit = ops::compare(b, classes, labels, ops::ComparisonDirection::kEq);
    const ir::Value zeros = ops::full(b, log_probabilities.type(), 0);
    return ops::negate(b, mean(b, ops::select(b, hit, log_probabilities, zeros)));
  };
  const ir::Literal ids = ir::Literal::of<std::int32_t>({4}, {2, 0, 2, 5}),
                    labels = ir::Literal::of<std::int32_t>({4}, {0, 2, 1, 0});
  EXPECT_EQ(check_gradient(loss, {weights({6, 5}, 1), weights({5, 3}, 2), ids, labels}), "");
}

TEST(GradientTest, DropoutKeepsItsMask) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const ir::Value key = ops::scalar(b, DType::kU32, 17), counter = ops::scalar(b, DType::kU32, 3);
    const ir::Value uniform = ops::random_uniform(b, key, key, counter, v[0].type());
    const ir::Value keep =
        ops::compare(b, uniform, ops::full(b, uniform.type(), 0.25), ops::ComparisonDirection::kGe);
    const ir::Value scaled = ops::multiply(b, v[0], ops::full(b, v[0].type(), 1 / 0.75));
    const ir::Value dropped = ops::select(b, keep, scaled, ops::full(b, v[0].type(), 0));
    return mean(b, ops::multiply(b, dropped, ops::softplus(b, dropped)));
  };
  EXPECT_EQ(check_gradient(loss, {weights({6, 7}, 1)}), "");
}

TEST(GradientTest, LayerNormalization) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const ir::Value x = v[0], count = ops::full(b, {DType::kF64, {4}}, 6);
    const ir::Value average = ops::divide(b, ops::reduce_sum(b, x, {1}), count);
    const ir::Value centred = ops::subtract(b, x, ops::broadcast_leading(b, average, x.dims()));
    const ir::Value variance =
        ops::divide(b, ops::reduce_sum(b, ops::multiply(b, centred, centred), {1}), count);
    const ir::Value scale = ops::rsqrt(b, ops::add(b, variance, ops::full(b, variance.type(), 1e-3)));
    const ir::Value normal = ops::multiply(b, centred, ops::broadcast_leading(b, scale, x.dims()));
    const ir::Value y = ops::multiply(b, normal, ops::broadcast_to(b, v[1], x.dims()));
    return mean(b, ops::multiply(b, y, ops::sine(b, y)));
  };
  EXPECT_EQ(check_gradient(loss, {weights({4, 6}, 1), weights({6}, 2)}), "");
}

TEST(GradientTest, AttentionWithBatchesOfHeads) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    // [batch, head, query, key]
    const ir::Value scores = ops::dot_general(b, v[0], v[1], {{0, 2}, {0, 2}, {3}, {3}});
    const ir::Value weighted = ops::dot_general(b, ops::softmax(b, scores), v[2], {{0, 1}, {0, 2}, {3}, {1}});
    const ir::Value flat = ops::reshape(b, ops::transpose(b, weighted, {0, 2, 1, 3}), {2 * 3, 2 * 4});
    return mean(b, ops::multiply(b, flat, flat));
  };
  EXPECT_EQ(
      check_gradient(loss, {weights({2, 3, 2, 4}, 1), weights({2, 5, 2, 4}, 2), weights({2, 5, 2, 4}, 3)}),
      "");
}

TEST(GradientTest, SlicesPadsAndConcatenations) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const ir::Value zero = ops::scalar(b, DType::kF64, 0);
    const ir::Value even = ops::slice(b, v[0], {0, 0}, {6, 5}, {2, 1}),
                    odd = ops::slice(b, v[0], {1, 0}, {6, 5}, {2, 1});
    const ir::Value joined = ops::concatenate(b, {odd, ops::reverse(b, even, {1})}, 1);
    const ir::Value padded = ops::pad(b, joined, zero, {1, -1}, {0, 2}, {1, 0});
    const ir::Value start = ops::scalar(b, DType::kI32, 1);
    const ir::Value window = ops::dynamic_slice(b, padded, {start, start}, {4, 6});
    const ir::Value updated =
        ops::dynamic_update_slice(b, padded, ops::multiply(b, window, window), {start, start});
    return mean(b, ops::multiply(b, updated, ops::exponential(b, padded)));
  };
  EXPECT_EQ(check_gradient(loss, {weights({6, 5}, 1)}), "");
}

TEST(GradientTest, ExtremaAndProducts) {
  const BuildLoss loss = [](ir::Builder& b, Values v) {
    const ir::Value most = ops::reduce_max(b, v[0], {1}), least = ops::reduce_min(b, v[0], {1}),
                    product = ops::reduce_product(b, v[0], {1});
    const ir::Value sum = ops::add(b, ops::multiply(b, most, least), product);
    return ops::reduce_sum(b, ops::multiply(b, sum, sum), {0});
  };
  EXPECT_EQ(check_gradient(loss, {weights({5, 4}, 1)}), "");
}

TEST(GradientTest, AProductWithAZeroHasTheProductOfTheOthers) {
  const BuildLoss loss = [](ir::Builder& b, Values v) { return ops::reduce_product(b, v[0], {0}); };
  EXPECT_EQ(check_gradient(loss, {ir::Literal::of<double>({3}, {0, 2, -3})}), "");
}

TEST(GradientTest, AWrongGradientIsFound) {
  static const ir::OpDef kWrong = {
      .name = "cornu.test_wrong",
      .infer = [](const ir::InferContext& context) { return std::vector{context.type(0)}; },
      .gradient = [](const ir::GradientContext& context) { return std::vector{context.result_gradients[0]}; },
      .decompose = [](ir::Builder& b, Values v,
                      const ir::Attributes&) { return std::vector{ops::tanh(b, v[0])}; }};
  const BuildLoss loss = [](ir::Builder& b, Values v) { return b.create(kWrong, {v[0]}).result(); };
  EXPECT_NE(check_gradient(loss, {weights({}, 1)}), "");
}

}  // namespace
}  // namespace cornu::inline v0::tests
