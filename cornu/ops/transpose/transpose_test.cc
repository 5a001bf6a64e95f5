#include "cornu/ops/transpose/transpose.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::transpose_folder {
namespace {

using ir::DType;

TEST(TransposeTest, C2_RejectsAShortPermutation) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3}}}, [](ir::Builder& b, Operands v) { transpose(b, v[0], {0}); }),
            "[transpose] (C2)");
}

TEST(TransposeTest, C2_RejectsARepeatedDimension) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2, 3}}}, [](ir::Builder& b, Operands v) { transpose(b, v[0], {0, 0}); }),
      "[transpose] (C2)");
}

TEST(TransposeTest, C2_RejectsADimensionOutsideTheRank) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2, 3}}}, [](ir::Builder& b, Operands v) { transpose(b, v[0], {0, 2}); }),
      "[transpose] (C2)");
}

TEST(TransposeTest, TheResultsDimensionDIsTheOperandsPermutationD) {
  const auto y = run_op({ir::Literal::of<std::int32_t>({1, 2, 3}, {1, 2, 3, 4, 5, 6})},
                        [](ir::Builder& b, Operands v) { return transpose(b, v[0], {2, 0, 1}); });
  EXPECT_EQ(y[0].type().dims, (ir::Dims{3, 1, 2}));
  EXPECT_EQ(elements<std::int32_t>(y[0]), (std::vector<std::int32_t>{1, 4, 2, 5, 3, 6}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::transpose_folder
