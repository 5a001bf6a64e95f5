#include "cornu/ops/reduce_precision/reduce_precision.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::reduce_precision_folder {
namespace {

using ir::DType;

std::string label(DType dtype, std::int64_t exponent_bits, std::int64_t mantissa_bits) {
  return error_label({{dtype, {2}}}, [=](ir::Builder& b, Operands v) {
    reduce_precision(b, v[0], exponent_bits, mantissa_bits);
  });
}

TEST(ReducePrecisionTest, I1_RejectsIntegers) {
  EXPECT_EQ(label(DType::kI32, 5, 10), "[reduce_precision] (I1)");
}
TEST(ReducePrecisionTest, C2_RejectsNoExponent) {
  EXPECT_EQ(label(DType::kF32, 0, 10), "[reduce_precision] (C2)");
}
TEST(ReducePrecisionTest, C3_RejectsANegativeMantissa) {
  EXPECT_EQ(label(DType::kF32, 5, -1), "[reduce_precision] (C3)");
}

TEST(ReducePrecisionTest, RoundsAsF16DoesAndFlushesItsSubnormals) {
  const auto y = elements<float>(
      run_op({ir::Literal::of<float>({6}, {1.00048828125f, 1.00146484375f, 65520, -65519, 6.2e-5f, -6e-5f})},
             [](ir::Builder& b, Operands v) { return reduce_precision(b, v[0], 5, 10); })[0]);
  EXPECT_EQ(y, (std::vector<float>{1, 1.001953125f, HUGE_VALF, -65504, 6.198883056640625e-5f, 0}));
  EXPECT_TRUE(std::signbit(y[5]));
}

TEST(ReducePrecisionTest, NaNNeedsAMantissa) {
  const auto of_nan = [](std::int64_t mantissa_bits) {
    return run_op({ir::Literal::scalar(DType::kF32, std::nan(""))},
                  [=](ir::Builder& b, Operands v) { return reduce_precision(b, v[0], 5, mantissa_bits); })[0]
        .at(0);
  };
  EXPECT_TRUE(std::isnan(of_nan(1)));
  EXPECT_EQ(of_nan(0), HUGE_VAL);
}

TEST(ReducePrecisionTest, TheGradientIsRoundedTheSameWay) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({DType::kF32, {2}}), dy = block.add_argument({DType::kF32, {2}});
  const ir::Value y = reduce_precision(b, x, 5, 10);
  const ir::Value gradients[] = {dy};
  const ir::Value dx =
      y.op()->def().gradient({.builder = b, .op = *y.op(), .result_gradients = gradients})[0];
  EXPECT_EQ(dx.op()->operand(0), dy);
  EXPECT_EQ(dx.op()->attributes(), y.op()->attributes());
}

}  // namespace
}  // namespace cornu::inline v0::ops::reduce_precision_folder
