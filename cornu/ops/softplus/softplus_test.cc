#include "cornu/ops/softplus/softplus.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::softplus_folder {
namespace {

using ir::DType;

TEST(SoftplusTest, RejectsIntegers) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { softplus(b, v[0]); }),
            "[cornu.softplus] the operand must be floating-point; got tensor<2xi32>");
}

TEST(SoftplusTest, IsItsFormulaWhereThatDoesNotOverflow) {
  for (double x : {-3.0, -0.5, 0.0, 0.25, 4.0}) {
    const auto y = run_op({ir::Literal::scalar(DType::kF64, x)},
                          [](ir::Builder& b, Operands v) { return softplus(b, v[0]); });
    EXPECT_NEAR(y[0].at(0), std::log1p(std::exp(x)), 1e-14);
  }
}

TEST(SoftplusTest, LargeValuesDoNotOverflow) {
  const auto y = run_op({ir::Literal::of<double>({2}, {1e4, -1e4})},
                        [](ir::Builder& b, Operands v) { return softplus(b, v[0]); });
  EXPECT_NEAR(y[0].at(0), 1e4, 1e-10);
  EXPECT_NEAR(y[0].at(1), 0, 1e-10);
}

}  // namespace
}  // namespace cornu::inline v0::ops::softplus_folder
