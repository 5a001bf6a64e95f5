#include "cornu/ops/compare/compare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::compare_folder {
namespace {

using ir::DType;

std::string error(const ir::TensorType& x, const ir::TensorType& y, const std::string& direction,
                  const std::string& type) {
  return build_error({x, y}, [&](ir::Builder& b, std::span<const ir::Value> v) {
    b.create(*op_defs()[0], {v[0], v[1]}, {{"comparison_direction", direction}, {"compare_type", type}});
  });
}

TEST(CompareTest, C1_RejectsOperandsOfDifferentDtypes) {
  EXPECT_EQ(error({DType::kF32, {2}}, {DType::kI32, {2}}, "EQ", "FLOAT"),
            "[compare] (C1) lhs and rhs must have one dtype; got tensor<2xf32> and tensor<2xi32>");
}

TEST(CompareTest, C2_RejectsOperandsOfDifferentShapes) {
  EXPECT_EQ(error({DType::kF32, {2}}, {DType::kF32, {}}, "EQ", "FLOAT"),
            "[compare] (C2) lhs and rhs must have one shape; got tensor<2xf32> and tensor<f32>");
}

TEST(CompareTest, C3_RejectsACompareTypeOfAnotherKind) {
  EXPECT_EQ(error({DType::kU32, {}}, {DType::kU32, {}}, "EQ", "SIGNED"),
            "[compare] (C3) compare_type of tensor<ui32> must be UNSIGNED; got \"SIGNED\"");
  EXPECT_EQ(error({DType::kI1, {}}, {DType::kI1, {}}, "EQ", "UNSIGNED"), "");
}

TEST(CompareTest, I3_RejectsAnUnknownDirection) {
  EXPECT_EQ(error({DType::kF32, {}}, {DType::kF32, {}}, "NEAR", "FLOAT"),
            "[compare] (I3) comparison_direction must be one of EQ, NE, GE, GT, LE, LT; got \"NEAR\"");
}

TEST(CompareTest, NaNIsUnequalToEverything) {
  const ir::Literal nan = ir::Literal::scalar(DType::kF32, std::nan(""));
  const auto holds = [&](ComparisonDirection direction) {
    return run_op({nan, nan},
                  [&](ir::Builder& b, std::span<const ir::Value> v) {
                    return compare(b, v[0], v[1], direction);
                  })[0]
               .at(0) == 1;
  };
  EXPECT_TRUE(holds(ComparisonDirection::kNe));
  EXPECT_FALSE(holds(ComparisonDirection::kEq));
  EXPECT_FALSE(holds(ComparisonDirection::kGe));
  EXPECT_FALSE(holds(ComparisonDirection::kLt));
}

TEST(CompareTest, UnsignedNumbersCompareAsUnsigned) {
  const auto results =
      run_op({ir::Literal::of<std::uint32_t>({1}, {0xffffffffu}), ir::Literal::of<std::uint32_t>({1}, {1})},
             [](ir::Builder& b, std::span<const ir::Value> v) {
               return compare(b, v[0], v[1], ComparisonDirection::kGt);
             });
  EXPECT_EQ(results[0].at(0), 1);
}

TEST(CompareTest, DirectionNamesReadBack) {
  for (int i = 0; i < 6; ++i) {
    const auto direction = static_cast<ComparisonDirection>(i);
    EXPECT_EQ(comparison_direction_from_name(comparison_direction_name(direction)), direction);
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::compare_folder
