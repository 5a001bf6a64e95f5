#include "cornu/ops/softmax/softmax.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::softmax_folder {
namespace {

using ir::DType;

TEST(SoftmaxTest, RejectsIntegers) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { softmax(b, v[0]); }),
            "[cornu.softmax] the operand must be floating-point; got tensor<2xi32>");
}

TEST(SoftmaxTest, RejectsAnAxisOutsideTheRank) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}}, [](ir::Builder& b, Operands v) { softmax(b, v[0], 1); }),
            "[cornu.softmax] axis must be in [-1, 1)");
}

TEST(SoftmaxTest, LargeValuesDoNotOverflow) {
  const auto y = run_op({ir::Literal::of<float>({1, 3}, {10000, 10000, -10000})},
                        [](ir::Builder& b, Operands v) { return softmax(b, v[0]); });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{0.5f, 0.5f, 0}));
}

TEST(SoftmaxTest, NormalizesAlongItsAxis) {
  const auto y = run_op({ir::Literal::of<double>({2, 2}, {0, 1, std::log(3), 1})},
                        [](ir::Builder& b, Operands v) { return softmax(b, v[0], 0); });
  EXPECT_NEAR(y[0].at(0), 0.25, 1e-15);
  EXPECT_NEAR(y[0].at(1), 0.5, 1e-15);
  EXPECT_NEAR(y[0].at(2), 0.75, 1e-15);
}

}  // namespace
}  // namespace cornu::inline v0::ops::softmax_folder
