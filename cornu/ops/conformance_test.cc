#include "cornu/ops/conformance_test_support.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cornu::inline v0::ops {
namespace {

using ir::DType;
using ir::Literal;

TEST(ConformanceTableTest, InputsFollowFromTheNameAlone) {
  const ConformanceCase row{.name = "x/f32", .inputs = {{.type = {DType::kF32, {4}}}}};
  EXPECT_EQ(make_inputs(row), make_inputs(row));
  ConformanceCase other = row;
  other.name = "y/f32";
  EXPECT_NE(make_inputs(row), make_inputs(other));
}

TEST(ConformanceTableTest, InputsKeepTheirRangeAndDistanceFromWholeNumbers) {
  const ConformanceCase row{
      .name = "x",
      .inputs = {{.type = {DType::kF64, {200}}, .low = -3, .high = 3, .away_from_whole = 0.2},
                 {.type = {DType::kI32, {200}}, .low = 0, .high = 2}}};
  const std::vector<Literal> inputs = make_inputs(row);
  for (double x : inputs[0].data<double>()) {
    EXPECT_TRUE(x >= -3 && x < 3);
    EXPECT_GE(std::fabs(x - std::round(x)), 0.2 - 1e-12);
  }
  for (std::int32_t x : inputs[1].data<std::int32_t>()) EXPECT_TRUE(x >= 0 && x <= 2);
}

TEST(CompareLiteralsTest, IntegersAreExactAndFloatsRelativeToTheNorm) {
  EXPECT_EQ(compare_literals(Literal::of<std::int32_t>({2}, {1, 2}), Literal::of<std::int32_t>({2}, {1, 2})),
            "");
  EXPECT_EQ(compare_literals(Literal::of<std::int32_t>({2}, {1, 2}), Literal::of<std::int32_t>({2}, {1, 3})),
            "element 1 is 2, expected 3");
  EXPECT_EQ(compare_literals(Literal::of<float>({2}, {1, 1000.005f}), Literal::of<float>({2}, {1, 1000})),
            "");
  EXPECT_NE(compare_literals(Literal::of<float>({2}, {1, 1000.05f}), Literal::of<float>({2}, {1, 1000})), "");
}

TEST(CompareLiteralsTest, NonFiniteElementsMatchExactly) {
  const float nan = std::nanf("");
  EXPECT_EQ(
      compare_literals(Literal::of<float>({2}, {nan, HUGE_VALF}), Literal::of<float>({2}, {nan, HUGE_VALF})),
      "");
  EXPECT_NE(compare_literals(Literal::of<float>({1}, {nan}), Literal::of<float>({1}, {1})), "");
  EXPECT_NE(compare_literals(Literal::of<float>({1}, {1}), Literal::of<float>({1}, {nan})), "");
  EXPECT_NE(compare_literals(Literal::of<float>({1}, {HUGE_VALF}), Literal::of<float>({1}, {-HUGE_VALF})),
            "");
}

}  // namespace
}  // namespace cornu::inline v0::ops
