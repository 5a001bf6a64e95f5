#include "cornu/ops/standardize/standardize.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::standardize_folder {
namespace {

using ir::DType;

TEST(StandardizeTest, BringsEachRowToMean0AndVariance1) {
  const auto y = run_op({ir::Literal::of<double>({2, 4}, {1, 3, 5, 7, -2, -2, 2, 2})},
                        [](ir::Builder& b, Operands v) { return standardize(b, v[0], {1}, 0).y; });
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(y[0].at(i), (2 * static_cast<double>(i) - 3) / std::sqrt(5), 1e-14);
    EXPECT_NEAR(y[0].at(4 + i), i < 2 ? -1 : 1, 1e-14);
  }
}

TEST(StandardizeTest, ARowOfOneElementIsZeroNotNaN) {
  const auto y = run_op({ir::Literal::of<float>({2, 1}, {5, -1e6F})},
                        [](ir::Builder& b, Operands v) { return standardize(b, v[0], {1}, 1e-3).y; });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{0, 0}));
}

TEST(StandardizeTest, RejectsOperandsThatDoNotFit) {
  const auto along = [](const ir::Dims& dimensions, double epsilon = 0) {
    return [=](ir::Builder& b, Operands v) { standardize(b, v[0], dimensions, epsilon); };
  };
  const ir::TensorType x{DType::kF32, {2, 3}};
  EXPECT_EQ(build_error({{DType::kI32, {2}}}, along({0})),
            "[cornu.standardize] the operand must be floating-point; got tensor<2xi32>");
  EXPECT_EQ(build_error({x}, along({2})),
            "[cornu.standardize] dimensions must be in [0, 2) and must not repeat; got dimensions = [2]");
  EXPECT_EQ(build_error({x}, along({1, 1})),
            "[cornu.standardize] dimensions must be in [0, 2) and must not repeat; got dimensions = [1, 1]");
  EXPECT_EQ(build_error({x}, along({1}, -1)),
            "[cornu.standardize] epsilon must not be negative; got epsilon = -1");
  EXPECT_EQ(build_error({x, {DType::kF32, {3}}, x},
                        [](ir::Builder& b, Operands v) { standardize_gradient(b, v[0], v[1], v[2], {1}); }),
            "[cornu.standardize_gradient] inverse_deviation must be tensor<2xf32>; got tensor<3xf32>");
}

}  // namespace
}  // namespace cornu::inline v0::ops::standardize_folder
