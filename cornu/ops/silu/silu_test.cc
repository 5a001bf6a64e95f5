#include "cornu/ops/silu/silu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::silu_folder {
namespace {

using ir::DType;

TEST(SiluTest, RejectsIntegers) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { silu(b, v[0]); }),
            "[cornu.silu] the operand must be floating-point; got tensor<2xi32>");
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { gelu_tanh(b, v[0]); }),
            "[cornu.gelu_tanh] the operand must be floating-point; got tensor<2xi32>");
}

TEST(SiluTest, AreTheirFormulas) {
  for (double x : {-700.0, -3.0, -0.5, 0.0, 0.25, 4.0, 1e100}) {
    const auto y = run_op({ir::Literal::scalar(DType::kF64, x)},
                          [](ir::Builder& b, Operands v) { return silu(b, v[0]); });
    const double expected = x / (1 + std::exp(-x));
    EXPECT_NEAR(y[0].at(0), expected, 1e-14 * std::abs(expected)) << x;
  }
  for (double x : {-3.0, -0.5, 0.0, 0.25, 4.0, 1e100}) {
    const auto y = run_op({ir::Literal::scalar(DType::kF64, x)},
                          [](ir::Builder& b, Operands v) { return gelu_tanh(b, v[0]); });
    const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
    EXPECT_NEAR(y[0].at(0), x / 2 * (1 + std::tanh(inner)), 1e-13 * std::abs(x)) << x;
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::silu_folder
