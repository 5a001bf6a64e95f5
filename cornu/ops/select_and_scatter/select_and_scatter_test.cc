#include "cornu/ops/select_and_scatter/select_and_scatter.h"

#include <gtest/gtest.h>

#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::select_and_scatter_folder {
namespace {

using ir::DType;

ir::Value keeps_greatest(ir::Builder& b, ir::Value x, ir::Value y) {
  return compare(b, x, y, ComparisonDirection::kGe);
}

std::string types_label(const std::vector<ir::TensorType>& types, const PoolWindow& window,
                        const ScalarBody& select = keeps_greatest, const ScalarBody& scatter = add) {
  return error_label(types, [&](ir::Builder& b, Operands v) {
    select_and_scatter(b, v[0], v[1], v[2], window, select, scatter);
  });
}
std::string window_label(const PoolWindow& window) {
  return types_label({{DType::kF32, {4, 4}}, {DType::kF32, {2, 2}}, {DType::kF32, {}}}, window);
}
const PoolWindow kPairs = {.dimensions = {2}, .strides = {2}};

TEST(SelectAndScatterTest, C1_RejectsASourceOfAnotherDtype) {
  EXPECT_EQ(types_label({{DType::kF32, {4}}, {DType::kF64, {2}}, {DType::kF32, {}}}, kPairs),
            "[select_and_scatter] (C1)");
}

TEST(SelectAndScatterTest, C2_RejectsASourceThatIsNotOneElementAWindow) {
  EXPECT_EQ(types_label({{DType::kF32, {4}}, {DType::kF32, {3}}, {DType::kF32, {}}}, kPairs),
            "[select_and_scatter] (C2)");
}

TEST(SelectAndScatterTest, C3_RejectsAnInitOfAnotherDtype) {
  EXPECT_EQ(types_label({{DType::kF32, {4}}, {DType::kF32, {2}}, {DType::kF32, {1}}}, kPairs),
            "[select_and_scatter] (C3)");
}

TEST(SelectAndScatterTest, C4_To_C8_RejectBadWindows) {
  EXPECT_EQ(window_label({.dimensions = {2}}), "[select_and_scatter] (C4)");
  EXPECT_EQ(window_label({.dimensions = {2, 0}}), "[select_and_scatter] (C5)");
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .strides = {2}}), "[select_and_scatter] (C6)");
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .strides = {2, -1}}), "[select_and_scatter] (C7)");
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .strides = {2, 2}, .padding_low = {1}}),
            "[select_and_scatter] (C8)");
}

TEST(SelectAndScatterTest, C9_C10_RejectBodiesOfOtherTypes) {
  const std::vector<ir::TensorType> types = {{DType::kF32, {4}}, {DType::kF32, {2}}, {DType::kF32, {}}};
  EXPECT_EQ(types_label(types, kPairs, add), "[select_and_scatter] (C9)");
  EXPECT_EQ(types_label(types, kPairs, keeps_greatest, keeps_greatest), "[select_and_scatter] (C10)");
}

TEST(SelectAndScatterTest, TheFirstOfEqualElementsIsSelectedAndPaddingNever) {
  const auto y = run_op(
      {ir::Literal::of<float>({5}, {-3, -3, 7, 7, 1}), ir::Literal::of<float>({3}, {10, 20, 30})},
      [](ir::Builder& b, Operands v) {
        return select_and_scatter_add(
            b, v[0], v[1], {.dimensions = {3}, .strides = {2}, .padding_low = {1}, .padding_high = {1}},
            ComparisonDirection::kGe);
      });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{10, 0, 20, 30, 0}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::select_and_scatter_folder
