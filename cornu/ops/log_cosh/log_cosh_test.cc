#include "cornu/ops/log_cosh/log_cosh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::log_cosh_folder {
namespace {

using ir::DType;

TEST(LogCoshTest, RejectsIntegers) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { log_cosh(b, v[0]); }),
            "[cornu.log_cosh] the operand must be floating-point; got tensor<2xi32>");
}

TEST(LogCoshTest, IsItsFormulaWhereThatDoesNotOverflow) {
  for (double x : {-3.0, -0.5, 0.0, 0.25, 4.0}) {
    const auto y = run_op({ir::Literal::scalar(DType::kF64, x)},
                          [](ir::Builder& b, Operands v) { return log_cosh(b, v[0]); });
    EXPECT_NEAR(y[0].at(0), std::log(std::cosh(x)), 1e-14);
  }
}

TEST(LogCoshTest, LargeValuesDoNotOverflow) {
  const auto y = run_op({ir::Literal::of<double>({2}, {1e4, -1e4})},
                        [](ir::Builder& b, Operands v) { return log_cosh(b, v[0]); });
  EXPECT_NEAR(y[0].at(0), 1e4 - std::log(2), 1e-10);
  EXPECT_NEAR(y[0].at(1), 1e4 - std::log(2), 1e-10);
}

}  // namespace
}  // namespace cornu::inline v0::ops::log_cosh_folder
