#include "cornu/ops/elementwise_unary/elementwise_unary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cornu/base/error.h"
#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::elementwise_unary_folder {
namespace {

using ir::DType;
using ir::Literal;
using Function = ir::Value (*)(ir::Builder&, ir::Value);

template <typename T>
std::vector<T> apply(Function function, std::vector<T> x) {
  const auto size = static_cast<std::int64_t>(x.size());
  return elements<T>(
      run_op({Literal::of<T>({size}, std::span<const T>(x))},
             [&](ir::Builder& b, std::span<const ir::Value> v) { return function(b, v[0]); })[0]);
}

std::string error(Function function, DType dtype) {
  return build_error({{dtype, {2}}},
                     [&](ir::Builder& b, std::span<const ir::Value> v) { function(b, v[0]); });
}

TEST(ElementwiseUnaryTest, C1_ResultHasTheOperandsShape) {
  ir::Block block;
  const ir::Value x = block.add_argument({DType::kF32, {2, 3}});
  ir::Builder b(block);
  EXPECT_EQ(tanh(b, x).type(), x.type());
  EXPECT_EQ(is_finite(b, x).type(), (ir::TensorType{DType::kI1, {2, 3}}));
}

TEST(ElementwiseUnaryTest, I1_RejectsDtypesThatTheOpDoesNotTake) {
  EXPECT_EQ(error(&abs, DType::kU32),
            "[abs] (I1) operand must be of signed integers, floats or complex numbers; got tensor<2xui32>");
  EXPECT_EQ(error(&exponential, DType::kI32),
            "[exponential] (I1) operand must be of floats or complex numbers; got tensor<2xi32>");
  EXPECT_EQ(error(&not_, DType::kF32), "[not] (I1) operand must be of i1 or integers; got tensor<2xf32>");
  EXPECT_NE(error(&negate, DType::kI1), "");
  EXPECT_EQ(error(&negate, DType::kU8), "");
  EXPECT_EQ(error(&sqrt, DType::kBF16), "");
}

TEST(ElementwiseUnaryTest, SmallestIntegerHasNoPositiveCounterpart) {
  constexpr auto kMin = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(apply<std::int32_t>(&abs, {-3, 0, kMin}), (std::vector<std::int32_t>{3, 0, kMin}));
  EXPECT_EQ(apply<std::int32_t>(&negate, {-3, 0, kMin}), (std::vector<std::int32_t>{3, 0, kMin}));
  EXPECT_EQ(apply<std::uint32_t>(&negate, {1}), (std::vector<std::uint32_t>{0xffffffffu}));
}

TEST(ElementwiseUnaryTest, SignKeepsZerosAndNaN) {
  const std::vector<float> signs = apply<float>(&sign, {-2.5f, 0.0f, -0.0f, 1e-40f, std::nanf("")});
  EXPECT_EQ(signs[0], -1);
  EXPECT_FALSE(std::signbit(signs[1]));
  EXPECT_TRUE(signs[2] == 0 && std::signbit(signs[2]));
  EXPECT_EQ(signs[3], 1);
  EXPECT_TRUE(std::isnan(signs[4]));
}

TEST(ElementwiseUnaryTest, SmallArgumentsKeepTheirDigits) {
  EXPECT_EQ(apply<double>(&exponential_minus_one, {1e-20})[0], 1e-20);
  EXPECT_EQ(apply<double>(&log_plus_one, {1e-20})[0], 1e-20);
}

TEST(ElementwiseUnaryTest, NotIsLogicalOnBooleansAndBitwiseOnIntegers) {
  EXPECT_EQ(
      elements<bool>(run_op({Literal::of<bool>({2}, {true, false})},
                            [](ir::Builder& b, std::span<const ir::Value> v) { return not_(b, v[0]); })[0]),
      (std::vector<bool>{false, true}));
  EXPECT_EQ(apply<std::uint8_t>(&not_, {0x0f}), (std::vector<std::uint8_t>{0xf0}));
  EXPECT_EQ(apply<std::int64_t>(&not_, {0}), (std::vector<std::int64_t>{-1}));
}

TEST(ElementwiseUnaryTest, HalvesAreRoundedOnce) {
  const auto exponential_of = [](DType dtype) {
    return run_op({Literal::scalar(dtype, 1)},
                  [](ir::Builder& b, std::span<const ir::Value> v) { return exponential(b, v[0]); })[0]
        .at(0);
  };
  EXPECT_EQ(exponential_of(DType::kF16), 2.71875);
  EXPECT_EQ(exponential_of(DType::kBF16), 2.71875);
}

TEST(ElementwiseUnaryTest, HalvesRoundToEvenOrAwayFromZero) {
  const std::vector<double> x = {0.5, 1.5, 2.5, -0.5, -2.5, 0x1.fffffffffffffp-2};
  EXPECT_EQ(apply<double>(&round_nearest_even, x), (std::vector<double>{0, 2, 2, 0, -2, 0}));
  EXPECT_EQ(apply<double>(&round_nearest_afz, x), (std::vector<double>{1, 2, 3, -1, -3, 0}));
}

TEST(ElementwiseUnaryTest, BitsAreCountedInTheWidthOfTheType) {
  EXPECT_EQ(apply<std::int8_t>(&popcnt, {-1, 0, 5}), (std::vector<std::int8_t>{8, 0, 2}));
  EXPECT_EQ(apply<std::uint16_t>(&count_leading_zeros, {0, 1, 0x8000}),
            (std::vector<std::uint16_t>{16, 15, 0}));
  EXPECT_EQ(apply<std::int64_t>(&count_leading_zeros, {-1, 1}), (std::vector<std::int64_t>{0, 63}));
}

TEST(ElementwiseUnaryTest, StepFunctionsHaveZerosAsGradient) {
  for (const Function step : {&sign, &floor, &ceil, &round_nearest_even, &round_nearest_afz}) {
    const Literal gradient = run_op({Literal::of<double>({3}, {-1.0, 0.0, 1.5})},
                                    [&](ir::Builder& b, std::span<const ir::Value> v) {
                                      const ir::Value y = step(b, v[0]);
                                      const ir::Value gradients[] = {v[0]};
                                      return y.op()->def().gradient({b, *y.op(), gradients})[0];
                                    })[0];
    EXPECT_EQ(elements<double>(gradient), (std::vector<double>{0, 0, 0}));
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::elementwise_unary_folder
