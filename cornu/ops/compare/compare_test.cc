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

ir::Literal small_floats(const std::vector<std::uint8_t>& bits) {
  ir::Literal literal(ir::TensorType{DType::kF8E4M3FN, {static_cast<std::int64_t>(bits.size())}});
  for (std::size_t i = 0; i < bits.size(); ++i) literal.mutable_bytes()[i] = static_cast<std::byte>(bits[i]);
  return literal;
}

TEST(CompareTest, SmallFloatsHaveATotalOrder) {
  // 1, -0, 0, NaN and -NaN of f8E4M3FN.
  const ir::Literal x = small_floats({0x38, 0x80, 0x00, 0x7f, 0xff}),
                    y = small_floats({0x40, 0x00, 0x80, 0x7e, 0xfe});
  const auto less = run_op({x, y}, [](ir::Builder& b, std::span<const ir::Value> v) {
    return compare_total_order(b, v[0], v[1], ComparisonDirection::kLt);
  });
  const std::vector<bool> expected = {true, true, false, false, true};
  for (std::int64_t i = 0; i < 5; ++i)
    EXPECT_EQ(less[0].at(i) != 0, expected[static_cast<std::size_t>(i)]) << i;
}

TEST(CompareTest, C3_AcceptsTotalOrderForFloatsOnly) {
  EXPECT_EQ(error({DType::kBF16, {}}, {DType::kBF16, {}}, "LT", "TOTALORDER"), "");
  EXPECT_EQ(error({DType::kF8E5M2, {}}, {DType::kF8E5M2, {}}, "LT", "TOTALORDER"), "");
  EXPECT_EQ(error({DType::kF32, {}}, {DType::kF32, {}}, "LT", "SIGNED"),
            "[compare] (C3) compare_type of tensor<f32> must be FLOAT or TOTALORDER; got \"SIGNED\"");
  EXPECT_EQ(error({DType::kI32, {}}, {DType::kI32, {}}, "LT", "TOTALORDER"),
            "[compare] (C3) compare_type of tensor<i32> must be SIGNED; got \"TOTALORDER\"");
}

TEST(CompareTest, TotalOrderGoesFromNegativeToPositiveNaN) {
  const double inf = HUGE_VAL, nan = std::nan("");
  const std::vector<double> ordered = {-nan, -inf, -2, -1e-310, -0.0, 0.0, 1e-310, 1, inf, nan};
  for (std::size_t i = 0; i < ordered.size(); ++i)
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      const auto less =
          run_op({ir::Literal::scalar(DType::kF64, ordered[i]), ir::Literal::scalar(DType::kF64, ordered[j])},
                 [](ir::Builder& b, std::span<const ir::Value> v) {
                   return compare_total_order(b, v[0], v[1], ComparisonDirection::kLt);
                 });
      EXPECT_EQ(less[0].at(0) == 1, i < j) << ordered[i] << ", " << ordered[j];
    }
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
