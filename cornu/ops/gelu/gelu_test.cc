#include "cornu/ops/gelu/gelu.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace cornu::inline v0::ops::gelu_folder
