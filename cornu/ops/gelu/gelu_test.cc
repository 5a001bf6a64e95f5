#include "cornu/ops/gelu/gelu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::gelu_folder {
namespace {

using ir::DType;

TEST(GeluTest, RejectsIntegers) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { gelu(b, v[0]); }),
            "[cornu.gelu] the operand must be floating-point; got tensor<2xi32>");
}

TEST(GeluTest, IsItsFormula) {
  for (double x : {-12.0, -3.0, -0.5, 0.0, 0.25, 4.0, 1e300}) {
    const auto y = run_op({ir::Literal::scalar(DType::kF64, x)},
                          [](ir::Builder& b, Operands v) { return gelu(b, v[0]); });
    const double expected = x / 2 * std::erfc(-x / std::sqrt(2.0));
    // exp(-x^2 / 2) amplifies the rounding of x^2.
    EXPECT_NEAR(y[0].at(0), expected, 1e-13 * std::abs(expected)) << x;
  }
}

TEST(GeluTest, ItsPolynomialForF32IsAccurate) {
  for (double at = -3; at <= 3; at += 1.0 / 64) {
    const double x = static_cast<float>(at), share = std::erfc(-x / std::sqrt(2.0)) / 2;
    const double slope = share + x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const auto y = run_op({ir::Literal::scalar(DType::kF32, x)}, [](ir::Builder& b, Operands v) {
      return std::vector{gelu(b, v[0]), gelu_slope(b, v[0])};
    });
    EXPECT_NEAR(y[0].at(0), x * share, 8e-7 * std::abs(x * share)) << x;
    EXPECT_NEAR(y[1].at(0), slope, 3e-7) << x;
  }
}

TEST(GeluTest, LargeNumbersOfF32) {
  const auto y =
      run_op({ir::Literal::of<float>({4}, {-1e30F, -20, 20, 1e30F})},
             [](ir::Builder& b, Operands v) { return std::vector{gelu(b, v[0]), gelu_slope(b, v[0])}; });
  const double values[] = {0, 0, 20, 1e30F}, slopes[] = {0, 0, 1, 1};
  for (std::int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(y[0].at(i), values[i]);
    EXPECT_EQ(y[1].at(i), slopes[i]);
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::gelu_folder
