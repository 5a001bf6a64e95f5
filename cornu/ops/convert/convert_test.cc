#include "cornu/ops/convert/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::convert_folder {
namespace {

using ir::DType;

template <typename To, typename From>
std::vector<To> converted(std::vector<From> x) {
  const auto size = static_cast<std::int64_t>(x.size());
  return elements<To>(run_op(
      {ir::Literal::of<From>({size}, std::span<const From>(x))},
      [](ir::Builder& b, std::span<const ir::Value> v) { return convert(b, v[0], *ir::kDTypeOf<To>); })[0]);
}

TEST(ConvertTest, C1_ResultHasTheOperandsShape) {
  ir::Block block;
  ir::Builder b(block);
  EXPECT_EQ(convert(b, block.add_argument({DType::kF32, {2, 3}}), DType::kI64).type(),
            (ir::TensorType{DType::kI64, {2, 3}}));
}

TEST(ConvertTest, FloatsTruncateAndSaturateToIntegers) {
  constexpr auto kMax = std::numeric_limits<std::int32_t>::max();
  constexpr auto kMin = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ((converted<std::int32_t, float>({1.9f, -1.9f, 1e10f, -1e10f, HUGE_VALF, std::nanf("")})),
            (std::vector<std::int32_t>{1, -1, kMax, kMin, kMax, 0}));
  EXPECT_EQ((converted<std::uint8_t, double>({-0.9, -1, -5, 255.9, 256})),
            (std::vector<std::uint8_t>{0, 0, 0, 255, 255}));
  EXPECT_EQ((converted<std::int64_t, double>({0x1p62, 0x1p63})),
            (std::vector<std::int64_t>{std::int64_t{1} << 62, std::numeric_limits<std::int64_t>::max()}));
}

TEST(ConvertTest, IntegersWrapIntoNarrowerOnes) {
  EXPECT_EQ((converted<std::int8_t, std::int32_t>({300, -129})), (std::vector<std::int8_t>{44, 127}));
  EXPECT_EQ((converted<std::uint32_t, std::int64_t>({-1})), (std::vector<std::uint32_t>{0xffffffffu}));
}

TEST(ConvertTest, BooleansAreNotZero) {
  EXPECT_EQ((converted<bool, float>({0.5f, -0.0f, std::nanf("")})), (std::vector<bool>{true, false, true}));
  ir::Literal booleans = ir::Literal::of<bool>({2}, {true, false});
  EXPECT_EQ(elements<float>(run_op({booleans},
                                   [](ir::Builder& b, std::span<const ir::Value> v) {
                                     return convert(b, v[0], DType::kF32);
                                   })[0]),
            (std::vector<float>{1, 0}));
}

TEST(ConvertTest, GradientGoesBackToTheOperandsDtypeAndOnlyBetweenFloats) {
  ir::Block block;
  const ir::Value f32 = block.add_argument({DType::kF32, {2}}), f64 = block.add_argument({DType::kF64, {2}});
  ir::Builder b(block);
  const ir::Op& widen = *convert(b, f32, DType::kF64).op();
  const ir::Value incoming[] = {f64};
  EXPECT_EQ(widen.def().gradient({b, widen, incoming})[0].dtype(), DType::kF32);
  const ir::Op& from_integer = *convert(b, block.add_argument({DType::kI32, {2}}), DType::kF64).op();
  EXPECT_FALSE(from_integer.def().gradient({b, from_integer, incoming})[0]);
}

}  // namespace
}  // namespace cornu::inline v0::ops::convert_folder
