#include "cornu/ops/chlo_binary/chlo_binary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::chlo_binary_folder {
namespace {

using ir::DType;
using Binary = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);

template <typename T>
T apply(Binary function, T x, T y) {
  return run_op({ir::Literal::of<T>({}, {x}), ir::Literal::of<T>({}, {y})},
                [=](ir::Builder& b, Operands v) { return function(b, v[0], v[1]); })[0]
      .template data<T>()[0];
}

TEST(ChloBinaryTest, NextAfterIsThatOfTheStandardLibrary) {
  const std::vector<float> numbers = {0.0F,
                                      -0.0F,
                                      1.0F,
                                      -1.0F,
                                      0x1p-149F,
                                      -0x1p-149F,
                                      0x1p-126F,
                                      3e38F,
                                      HUGE_VALF,
                                      -HUGE_VALF,
                                      std::nextafter(1.0F, 0.0F)};
  for (const float x : numbers)
    for (const float y : numbers) {
      const float wanted = std::nextafter(x, y), actual = apply<float>(&next_after, x, y);
      EXPECT_TRUE(actual == wanted && std::signbit(actual) == std::signbit(wanted))
          << x << ", " << y << ": " << actual;
    }
  EXPECT_TRUE(std::isnan(apply<float>(&next_after, std::nanf(""), 1)));
  EXPECT_TRUE(std::isnan(apply<float>(&next_after, 1, std::nanf(""))));
}

TEST(ChloBinaryTest, MulhiIsTheUpperHalfOfAProduct) {
  for (const std::int64_t x :
       {INT64_MIN, std::int64_t{-1}, std::int64_t{3} << 40, INT64_MAX, std::int64_t{0}})
    for (const std::int64_t y : {INT64_MIN, std::int64_t{-7}, std::int64_t{5} << 50, INT64_MAX}) {
      const auto wanted = static_cast<std::int64_t>((static_cast<__int128>(x) * y) >> 64);
      EXPECT_EQ(apply<std::int64_t>(&mulhi, x, y), wanted) << x << " * " << y;
      const auto a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
      const auto high = static_cast<std::uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
      EXPECT_EQ(apply<std::uint64_t>(&mulhi, a, b), high) << a << " * " << b;
    }
  EXPECT_EQ(apply<std::int8_t>(&mulhi, -128, 127), (-128 * 127) >> 8);
  EXPECT_EQ(apply<std::uint32_t>(&mulhi, 0xffffffffU, 0xfffffffeU), 0xfffffffdU);
}

TEST(ChloBinaryTest, ZetaAndPolygammaHaveKnownValues) {
  constexpr double kPi = std::numbers::pi;
  EXPECT_NEAR(apply<double>(&zeta, 2, 1), kPi * kPi / 6, 1e-15);
  EXPECT_NEAR(apply<double>(&zeta, 4, 1), std::pow(kPi, 4) / 90, 1e-15);
  EXPECT_NEAR(apply<double>(&zeta, 2, 0.5), kPi * kPi / 2, 1e-14);
  EXPECT_EQ(apply<double>(&zeta, 1, 3), HUGE_VAL);
  EXPECT_TRUE(std::isnan(apply<double>(&zeta, 0.5, 3)));
  EXPECT_EQ(apply<double>(&zeta, 2, -1), HUGE_VAL);
  EXPECT_NEAR(apply<double>(&polygamma, 0, 1), -std::numbers::egamma, 1e-15);
  EXPECT_NEAR(apply<double>(&polygamma, 1, 1), kPi * kPi / 6, 1e-14);
  EXPECT_NEAR(apply<double>(&polygamma, 3, 1), std::pow(kPi, 4) / 15, 1e-13);
  EXPECT_TRUE(std::isnan(apply<double>(&polygamma, 0.5, 1)));
}

TEST(ChloBinaryTest, RejectsOperandsOfDifferentTypes) {
  EXPECT_EQ(build_error({{DType::kF32, {2}}, {DType::kF64, {2}}},
                        [](ir::Builder& b, Operands v) { next_after(b, v[0], v[1]); }),
            "[cornu.next_after] the operands must have one type; got tensor<2xf32> and tensor<2xf64>");
  EXPECT_NE(build_error({{DType::kF32, {2}}}, [](ir::Builder& b, Operands v) { mulhi(b, v[0], v[0]); }), "");
}

}  // namespace
}  // namespace cornu::inline v0::ops::chlo_binary_folder
