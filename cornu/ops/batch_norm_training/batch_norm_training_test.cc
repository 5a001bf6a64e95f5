#include "cornu/ops/batch_norm_training/batch_norm_training.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/convert/convert.h"
#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::batch_norm_training_folder {
namespace {

using ir::DType;

/// y of one channel for gamma 2, beta 1; `mask` empty: without one.
std::vector<double> normalized(const std::vector<double>& x, const std::vector<bool>& mask, double epsilon) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::vector<ir::Literal> inputs = {ir::Literal::of<double>({n, 1}, x), ir::Literal::of<double>({1}, {2}),
                                     ir::Literal::of<double>({1}, {1})};
  if (!mask.empty()) {
    inputs.emplace_back(ir::TensorType{DType::kI1, {n, 1}});
    for (std::size_t i = 0; i < mask.size(); ++i) inputs.back().mutable_bytes()[i] = std::byte{mask[i]};
  }
  const auto y = run_op(inputs, [&](ir::Builder& b, Operands v) {
    return batch_norm_training(b, v[0], v[1], v[2], v.size() > 3 ? v[3] : ir::Value(), {.epsilon = epsilon})
        .y;
  });
  return elements<double>(y[0]);
}

TEST(BatchNormTrainingTest, NormalizesAChannelByItsMeanAndVariance) {
  const std::vector<double> y = normalized({1, 3, 5, 7}, {}, 0);  // mean 4, variance 5
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(y[i], 1 + 2 * (2 * static_cast<double>(i) - 3) / std::sqrt(5), 1e-14);
}

TEST(BatchNormTrainingTest, TheGradientIsFiniteWhereWhatDoesNotCountIsNaNAndNothingComesBackForIt) {
  const double nan = std::nan("");
  std::vector<ir::Literal> inputs = {ir::Literal::of<double>({4, 1}, {1, nan, 3, -INFINITY}),
                                     ir::Literal::of<double>({1}, {2}), ir::Literal::of<double>({1}, {2}),
                                     ir::Literal::of<double>({1}, {1}),
                                     ir::Literal::of<double>({4, 1}, {0.5, 0, -1, 0})};
  inputs.emplace_back(ir::TensorType{DType::kI1, {4, 1}});
  for (const std::size_t i : {0, 2}) inputs.back().mutable_bytes()[i] = std::byte{1};
  const auto results = run_op(inputs, [](ir::Builder& b, Operands v) {
    const BatchNormGradient r = batch_norm_gradient(b, v[0], v[1], v[2], v[3], v[4], v[5], {.epsilon = 0});
    return std::vector<ir::Value>{r.x, r.gamma, r.beta};
  });
  EXPECT_EQ(elements<double>(results[1]), std::vector<double>{-1.5});  // 0.5 * -1 + -1 * 1
  EXPECT_EQ(elements<double>(results[2]), std::vector<double>{-0.5});
  for (const double x : elements<double>(results[0])) EXPECT_TRUE(std::isfinite(x)) << x;
}

TEST(BatchNormTrainingTest, AVarianceBeyondTheLargestHalfLeavesResultAndGradientFinite) {
  const ir::TensorType x{DType::kF16, {4, 1}}, vector{DType::kF16, {1}};
  const auto in_half = [](const ir::TensorType& type, const std::vector<float>& values) {
    return run_op({ir::Literal::of<float>(type.dims, values)},
                  [](ir::Builder& b, Operands v) { return convert(b, v[0], DType::kF16); })[0];
  };
  const auto results =
      run_op({in_half(x, {-300, 300, -300, 300}), in_half(vector, {2}), in_half(vector, {1}),
              in_half(x, {1, 2, 0, 0})},
             [](ir::Builder& b, Operands v) {
               const BatchNormTraining r = batch_norm_training(b, v[0], v[1], v[2], {}, {.epsilon = 0});
               const BatchNormGradient g =
                   batch_norm_gradient(b, v[0], v[1], r.mean, r.variance, v[3], {}, {.epsilon = 0});
               const auto wide = [&](ir::Value value) { return convert(b, value, DType::kF64); };
               return std::vector<ir::Value>{wide(r.y), wide(r.variance), wide(g.gamma), wide(g.x)};
             });
  EXPECT_EQ(elements<double>(results[0]), (std::vector<double>{-1, 3, -1, 3}));
  EXPECT_EQ(elements<double>(results[1]), std::vector<double>{90000});
  EXPECT_EQ(elements<double>(results[2]), std::vector<double>{1});
  // 2 / 300 * (dy - (3 + h) / 4), rounded to a half
  const std::vector<double> expected = {1.0 / 300, 2.0 / 300, -1.0 / 300, -2.0 / 300};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(elements<double>(results[3])[i], expected[i], 1e-5);
}

TEST(BatchNormTrainingTest, ABatchOfOneGivesBeta) {
  EXPECT_EQ(normalized({42}, {}, 1e-3), std::vector<double>{1});
}

TEST(BatchNormTrainingTest, ElementsThatDoNotCountChangeNothingEvenIfTheyAreNotNumbers) {
  const std::vector<double> whole = normalized({1, 3, 5}, {}, 1e-3);
  const std::vector<double> masked =
      normalized({1, std::nan(""), 3, 5, INFINITY}, {true, false, true, true, false}, 1e-3);
  EXPECT_NEAR(masked[0], whole[0], 1e-15);
  EXPECT_NEAR(masked[2], whole[1], 1e-15);
  EXPECT_NEAR(masked[3], whole[2], 1e-15);
}

TEST(BatchNormTrainingTest, WhereNothingCountsMeanAndVarianceAreZero) {
  EXPECT_NEAR(normalized({3}, {false}, 4)[0], 1 + 2 * 3 / 2.0, 1e-15);
}

TEST(BatchNormTrainingTest, RejectsOperandsThatDoNotFit) {
  const auto build = [](ir::Builder& b, Operands v) {
    batch_norm_training(b, v[0], v[1], v[2], v.size() > 3 ? v[3] : ir::Value(), {.axis = 1});
  };
  const ir::TensorType x{DType::kF32, {4, 3}}, vector{DType::kF32, {3}};
  EXPECT_EQ(build_error({{DType::kI32, {4, 3}}, vector, vector}, build),
            "[cornu.batch_norm_training] the operand must be floating-point; got tensor<4x3xi32>");
  EXPECT_EQ(build_error({{DType::kF32, {4}}, vector, vector}, build),
            "[cornu.batch_norm_training] axis must be in [-1, 1) for a tensor of rank 1; got 1");
  EXPECT_EQ(build_error({x, {DType::kF32, {4}}, vector}, build),
            "[cornu.batch_norm_training] gamma must be tensor<3xf32>; got tensor<4xf32>");
  EXPECT_EQ(build_error({x, vector, {DType::kF64, {3}}}, build),
            "[cornu.batch_norm_training] beta must be tensor<3xf32>; got tensor<3xf64>");
  EXPECT_EQ(build_error({x, vector, vector, {DType::kI1, {2, 1}}}, build),
            "[cornu.batch_norm_training] the mask must be i1 and have x's extents or 1; got a mask "
            "tensor<2x1xi1> for x tensor<4x3xf32>");
  EXPECT_EQ(build_error({x, vector, vector},
                        [](ir::Builder& b, Operands v) {
                          batch_norm_training(b, v[0], v[1], v[2], {}, {.epsilon = -1});
                        }),
            "[cornu.batch_norm_training] epsilon must not be negative; got epsilon = -1");
}

}  // namespace
}  // namespace cornu::inline v0::ops::batch_norm_training_folder
