#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::dynamic_update_slice_folder {
namespace {

using ir::DType;

TEST(DynamicUpdateSliceTest, C2_RejectsAnUpdateOfAnotherDtype) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF64, {1}}, {DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) { dynamic_update_slice(b, v[0], v[1], {v[2]}); }),
            "[dynamic_update_slice] (C2)");
}

TEST(DynamicUpdateSliceTest, C3_RejectsAnUpdateOfAnotherRank) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {1, 1}}, {DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) { dynamic_update_slice(b, v[0], v[1], {v[2]}); }),
            "[dynamic_update_slice] (C3)");
}

TEST(DynamicUpdateSliceTest, C4_RejectsTooManyStarts) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2}}, {DType::kF32, {1}}, {DType::kI32, {}}},
                  [](ir::Builder& b, Operands v) { dynamic_update_slice(b, v[0], v[1], {v[2], v[2]}); }),
      "[dynamic_update_slice] (C4)");
}

TEST(DynamicUpdateSliceTest, C5_RejectsStartsOfDifferentTypes) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2, 2}}, {DType::kF32, {1, 1}}, {DType::kI32, {}}, {DType::kI64, {}}},
                  [](ir::Builder& b, Operands v) { dynamic_update_slice(b, v[0], v[1], {v[2], v[3]}); }),
      "[dynamic_update_slice] (C5)");
}

TEST(DynamicUpdateSliceTest, C6_RejectsAnUpdateLargerThanTheOperand) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {3}}, {DType::kI32, {}}},
                        [](ir::Builder& b, Operands v) { dynamic_update_slice(b, v[0], v[1], {v[2]}); }),
            "[dynamic_update_slice] (C6)");
}

TEST(DynamicUpdateSliceTest, OverwritesTheBoxAtTheClampedStart) {
  const auto y =
      run_op({ir::Literal::of<std::int32_t>({4}, {0, 1, 2, 3}), ir::Literal::of<std::int32_t>({2}, {8, 9}),
              ir::Literal::scalar(DType::kI32, 7)},
             [](ir::Builder& b, Operands v) { return dynamic_update_slice(b, v[0], v[1], {v[2]}); });
  EXPECT_EQ(elements<std::int32_t>(y[0]), (std::vector<std::int32_t>{0, 1, 8, 9}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::dynamic_update_slice_folder
