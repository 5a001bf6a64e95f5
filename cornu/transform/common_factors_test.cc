#include "cornu/transform/common_factors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using Operands = std::span<const ir::Value>;

constexpr std::int64_t kSide = 128;

/// d = cotangent w, after e = x w; then sum(b, d, e).
template <typename Sum>
std::unique_ptr<ir::Function> after_products(DType dtype, const Sum& sum) {
  const ir::Dims square = {kSide, kSide};
  return simplify(
      *make_function({{dtype, square}, {dtype, square}, {dtype, square}}, [&](ir::Builder& b, Operands v) {
        const ir::Value e = ops::matmul(b, v[0], v[2]);
        const ir::Value d = ops::matmul(b, v[1], v[2]);
        return std::vector{sum(b, d, e)};
      }));
}

/// d e + -(d (|e| e)): the gradient of a function of e.
ir::Value gradient_like(ir::Builder& b, ir::Value d, ir::Value e) {
  const ir::Value scaled = ops::multiply(b, d, ops::multiply(b, ops::abs(b, e), e));
  return ops::add(b, ops::multiply(b, d, e), ops::negate(b, scaled));
}

bool is_product_of(ir::Value value, ir::Value factor) {
  return value.op()->name() == "multiply" && value.op()->operand(0) == factor;
}

TEST(CommonFactorsTest, AGradientIsTheFactorOfWhatWasThereBefore) {
  const auto two = after_products(DType::kF64, &gradient_like);
  const auto one = join_common_factors(*two);
  ASSERT_NE(one, nullptr);
  const auto simple = simplify(*one);
  ir::verify(*simple);
  const ir::Op* const last_product =
      std::ranges::find_if(simple->body.ops().rbegin(), simple->body.ops().rend(), [](const auto& op) {
        return op->name() == "dot_general";
      })->get();
  EXPECT_TRUE(is_product_of(simple->body.results()[0], last_product->result()));
  std::vector<ir::Literal> arguments;
  for (const ir::Value& argument : two->body.arguments()) {
    ir::Literal& values = arguments.emplace_back(argument.type());
    for (std::int64_t i = 0; i < argument.type().num_elements(); ++i)
      values.mutable_data<double>()[i] = static_cast<double>((i + 3 * i / kSide) % 5) - 2;  // sums are exact
  }
  EXPECT_TRUE(backends::reference::evaluate(*two, arguments)[0] ==
              backends::reference::evaluate(*simple, arguments)[0]);
}

TEST(CommonFactorsTest, SumsOfSumsAreJoinedToo) {
  const auto sums = after_products(DType::kF32, [](ir::Builder& b, ir::Value d, ir::Value e) {
    const ir::Value shared = ops::multiply(b, d, ops::tanh(b, e));
    const ir::Value sum = ops::subtract(b, shared, ops::multiply(b, shared, e));
    return ops::add(b, ops::multiply(b, d, ops::exponential(b, e)), sum);
  });
  const auto joined = join_common_factors(*sums);
  ASSERT_NE(joined, nullptr);
  const auto simple = simplify(*joined);
  const ir::Value d = std::ranges::find_if(simple->body.ops().rbegin(), simple->body.ops().rend(),
                                           [](const auto& op) { return op->name() == "dot_general"; })
                          ->get()
                          ->result();
  EXPECT_TRUE(is_product_of(simple->body.results()[0], d));
  EXPECT_EQ(std::ranges::count_if(
                simple->body.ops(),
                [&](const auto& op) { return std::ranges::find(op->operands(), d) != op->operands().end(); }),
            1);
}

TEST(CommonFactorsTest, LongProductsTakeNoStack) {
  const auto sum = make_function(
      {{DType::kF32, {kSide, kSide}}, {DType::kF32, {kSide, kSide}}}, [](ir::Builder& b, Operands v) {
        ir::Value product = v[0];
        for (int i = 0; i < 200'000; ++i)
          product = i % 2 == 0 ? ops::multiply(b, product, v[1]) : ops::negate(b, product);
        return std::vector{ops::add(b, product, v[0])};
      });
  EXPECT_EQ(join_common_factors(*sum), nullptr);
}

TEST(CommonFactorsTest, OtherSumsStay) {
  const auto is_kept = [](DType dtype, const auto& sum) {
    return join_common_factors(*after_products(dtype, sum)) == nullptr;
  };
  EXPECT_FALSE(is_kept(DType::kF32, &gradient_like));
  EXPECT_TRUE(is_kept(DType::kBF16, &gradient_like));
  // The factor is there before the others.
  EXPECT_TRUE(
      is_kept(DType::kF32, [](ir::Builder& b, ir::Value d, ir::Value e) { return gradient_like(b, e, d); }));
  // One tensor is read either way.
  EXPECT_TRUE(is_kept(DType::kF32, [](ir::Builder& b, ir::Value d, ir::Value e) {
    return ops::add(b, d, ops::multiply(b, d, e));
  }));
  // Not linear in the factor.
  EXPECT_TRUE(is_kept(DType::kF32, [](ir::Builder& b, ir::Value d, ir::Value e) {
    return ops::add(b, ops::multiply(b, ops::multiply(b, d, d), e), ops::multiply(b, d, ops::tanh(b, e)));
  }));
  // Small tensors.
  const auto small =
      make_function({{DType::kF32, {8, 8}}, {DType::kF32, {8, 8}}}, [](ir::Builder& b, Operands v) {
        const ir::Value e = ops::matmul(b, v[0], v[1]);
        return std::vector{gradient_like(b, ops::matmul(b, v[0], e), e)};
      });
  EXPECT_EQ(join_common_factors(*small), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
