#include "cornu/ops/log_softmax/log_softmax.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::log_softmax_folder {
namespace {

using ir::DType;

TEST(LogSoftmaxTest, RejectsIntegers) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { log_softmax(b, v[0]); }),
            "[cornu.log_softmax] the operand must be floating-point; got tensor<2xi32>");
}

TEST(LogSoftmaxTest, RejectsAnAxisOutsideTheRank) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}}, [](ir::Builder& b, Operands v) { log_softmax(b, v[0], 1); }),
            "[cornu.log_softmax] axis must be in [-1, 1)");
}

TEST(LogSoftmaxTest, LargeValuesDoNotOverflowAndSmallOnesDoNotVanish) {
  const auto y = run_op({ir::Literal::of<float>({1, 2}, {10000, -10000})},
                        [](ir::Builder& b, Operands v) { return log_softmax(b, v[0]); });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{0, -20000}));
}

TEST(LogSoftmaxTest, IsTheLogarithmOfSoftmax) {
  const auto y = run_op({ir::Literal::of<double>({2}, {0, std::log(3)})},
                        [](ir::Builder& b, Operands v) { return log_softmax(b, v[0], 0); });
  EXPECT_NEAR(y[0].at(0), std::log(0.25), 1e-15);
  EXPECT_NEAR(y[0].at(1), std::log(0.75), 1e-15);
}

}  // namespace
}  // namespace cornu::inline v0::ops::log_softmax_folder
