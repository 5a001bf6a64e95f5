#include "cornu/ops/concatenate/concatenate.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::concatenate_folder {
namespace {

using ir::DType;

TEST(ConcatenateTest, C1_RejectsDifferentDtypes) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF64, {2}}},
                        [](ir::Builder& b, Operands v) { concatenate(b, {v[0], v[1]}, 0); }),
            "[concatenate] (C1)");
}

TEST(ConcatenateTest, C2_RejectsDifferentRanks) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {2, 1}}},
                        [](ir::Builder& b, Operands v) { concatenate(b, {v[0], v[1]}, 0); }),
            "[concatenate] (C2)");
}

TEST(ConcatenateTest, C2_RejectsOtherExtentsThatDiffer) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3}}, {DType::kF32, {2, 4}}},
                        [](ir::Builder& b, Operands v) { concatenate(b, {v[0], v[1]}, 0); }),
            "[concatenate] (C2)");
}

TEST(ConcatenateTest, C3_RejectsNoInput) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}},
                        [](ir::Builder& b, Operands v) {
                          static_cast<void>(v);
                          concatenate(b, {}, 0);
                        }),
            "[concatenate] (C3)");
}

TEST(ConcatenateTest, C4_RejectsDimensionOutsideRank) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2}}}, [](ir::Builder& b, Operands v) { concatenate(b, {v[0], v[0]}, 1); }),
      "[concatenate] (C4)");
}

TEST(ConcatenateTest, WalksTheInputsInOrder) {
  const auto y = run_op(
      {ir::Literal::of<std::int32_t>({2, 1}, {1, 2}), ir::Literal::of<std::int32_t>({2, 2}, {3, 4, 5, 6})},
      [](ir::Builder& b, Operands v) { return concatenate(b, {v[0], v[1]}, 1); });
  EXPECT_EQ(elements<std::int32_t>(y[0]), (std::vector<std::int32_t>{1, 3, 4, 2, 5, 6}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::concatenate_folder
