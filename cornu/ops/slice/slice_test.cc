#include "cornu/ops/slice/slice.h"

#include <gtest/gtest.h>

#include <limits>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::slice_folder {
namespace {

using ir::DType;

TEST(SliceTest, C2_RejectsListsOfAnotherSize) {
  EXPECT_EQ(
      error_label({{DType::kF32, {4}}}, [](ir::Builder& b, Operands v) { slice(b, v[0], {0, 0}, {4}, {1}); }),
      "[slice] (C2)");
}

TEST(SliceTest, C3_RejectsANegativeStart) {
  EXPECT_EQ(
      error_label({{DType::kF32, {4}}}, [](ir::Builder& b, Operands v) { slice(b, v[0], {-1}, {4}, {1}); }),
      "[slice] (C3)");
}

TEST(SliceTest, C3_RejectsALimitBeforeTheStart) {
  EXPECT_EQ(
      error_label({{DType::kF32, {4}}}, [](ir::Builder& b, Operands v) { slice(b, v[0], {3}, {2}, {1}); }),
      "[slice] (C3)");
}

TEST(SliceTest, C3_RejectsALimitBeyondTheExtent) {
  EXPECT_EQ(
      error_label({{DType::kF32, {4}}}, [](ir::Builder& b, Operands v) { slice(b, v[0], {0}, {5}, {1}); }),
      "[slice] (C3)");
}

TEST(SliceTest, C4_RejectsAStrideOfZero) {
  EXPECT_EQ(
      error_label({{DType::kF32, {4}}}, [](ir::Builder& b, Operands v) { slice(b, v[0], {0}, {4}, {0}); }),
      "[slice] (C4)");
}

TEST(SliceTest, TakesEveryStridethElement) {
  const auto y = run_op({ir::Literal::of<std::int64_t>({7}, {0, 1, 2, 3, 4, 5, 6})},
                        [](ir::Builder& b, Operands v) { return slice(b, v[0], {1}, {6}, {2}); });
  EXPECT_EQ(elements<std::int64_t>(y[0]), (std::vector<std::int64_t>{1, 3, 5}));
}

TEST(SliceTest, AHugeStrideDoesNotOverflow) {
  const auto y = run_op({ir::Literal::of<std::int64_t>({3}, {7, 8, 9})}, [](ir::Builder& b, Operands v) {
    return slice(b, v[0], {0}, {3}, {std::numeric_limits<std::int64_t>::max()});
  });
  EXPECT_EQ(elements<std::int64_t>(y[0]), (std::vector<std::int64_t>{7}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::slice_folder
