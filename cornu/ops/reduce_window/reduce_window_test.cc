#include "cornu/ops/reduce_window/reduce_window.h"

#include <gtest/gtest.h>

#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::reduce_window_folder {
namespace {

using ir::DType;

std::vector<ir::Value> sums(ir::Builder& b, Operands v) { return {add(b, v[0], v[1])}; }

std::string window_label(const WindowOptions& window) {
  return error_label({{DType::kF32, {4, 4}}},
                     [&](ir::Builder& b, Operands v) { reduce_window_sum(b, v[0], window); });
}

TEST(ReduceWindowTest, C1_RejectsAMissingInit) {
  EXPECT_EQ(error_label(
                {{DType::kF32, {2}}},
                [](ir::Builder& b, Operands v) { reduce_window(b, {v[0]}, {}, {.dimensions = {1}}, sums); }),
            "[reduce_window] (C1)");
}

TEST(ReduceWindowTest, C2_RejectsInputsOfDifferentShapes) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {3}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) {
                          reduce_window(b, {v[0], v[1]}, {v[2], v[2]}, {.dimensions = {1}}, sums);
                        }),
            "[reduce_window] (C2)");
}

TEST(ReduceWindowTest, C3_RejectsAnInitOfAnotherDtype) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF64, {}}},
                        [](ir::Builder& b, Operands v) {
                          reduce_window(b, {v[0]}, {v[1]}, {.dimensions = {1}}, sums);
                        }),
            "[reduce_window] (C3)");
}

TEST(ReduceWindowTest, C4_C5_RejectWindowsThatAreNoBoxes) {
  EXPECT_EQ(window_label({.dimensions = {2}}), "[reduce_window] (C4)");
  EXPECT_EQ(window_label({.dimensions = {2, 0}}), "[reduce_window] (C5)");
}

TEST(ReduceWindowTest, C6_C7_RejectBadStrides) {
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .strides = {1}}), "[reduce_window] (C6)");
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .strides = {1, 0}}), "[reduce_window] (C7)");
}

TEST(ReduceWindowTest, C8_C9_RejectBadBaseDilations) {
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .base_dilations = {1}}), "[reduce_window] (C8)");
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .base_dilations = {1, 0}}), "[reduce_window] (C9)");
}

TEST(ReduceWindowTest, C10_C11_RejectBadWindowDilations) {
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .window_dilations = {1}}), "[reduce_window] (C10)");
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .window_dilations = {0, 1}}), "[reduce_window] (C11)");
}

TEST(ReduceWindowTest, C12_RejectsPaddingOfAnotherRank) {
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .padding_low = {1}}), "[reduce_window] (C12)");
  EXPECT_EQ(window_label({.dimensions = {2, 2}, .padding_high = {1, 1, 1}}), "[reduce_window] (C12)");
}

TEST(ReduceWindowTest, C13_RejectsABodyOfAnotherType) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) {
                          reduce_window(b, {v[0]}, {v[1]}, {.dimensions = {1}},
                                        [](ir::Builder&, Operands) { return std::vector<ir::Value>(); });
                        }),
            "[reduce_window] (C13)");
}

TEST(ReduceWindowTest, AWindowLargerThanTheInputGivesNothing) {
  const auto y = run_op({ir::Literal::of<float>({3}, {1, 2, 3})}, [](ir::Builder& b, Operands v) {
    return reduce_window_sum(b, v[0], {.dimensions = {4}});
  });
  EXPECT_EQ(y[0].type().dims, (ir::Dims{0}));
}

TEST(ReduceWindowTest, SumsWindows) {
  const auto y = run_op({ir::Literal::of<float>({5}, {1, 2, 3, 4, 5})}, [](ir::Builder& b, Operands v) {
    return reduce_window_sum(
        b, v[0], {.dimensions = {2}, .strides = {2}, .window_dilations = {2}, .padding_low = {1}});
  });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{2, 6}));
}

TEST(ReduceWindowTest, PaddingAndGapsHoldTheInitValue) {
  const auto sums_from_one = [](const ir::Literal& x, const WindowOptions& window) {
    const auto y = run_op({x}, [&](ir::Builder& b, Operands v) {
      return reduce_window(b, {v[0]}, {scalar(b, DType::kF32, 1)}, window, sums)[0];
    });
    return elements<float>(y[0]);
  };
  EXPECT_EQ(sums_from_one(ir::Literal::of<float>({1}, {10}), {.dimensions = {2}, .padding_low = {1}}),
            (std::vector<float>{12}));
  EXPECT_EQ(sums_from_one(ir::Literal::of<float>({2}, {10, 20}), {.dimensions = {3}, .base_dilations = {2}}),
            (std::vector<float>{32}));
  EXPECT_EQ(sums_from_one(ir::Literal::of<float>({2}, {10, 20}),
                          {.dimensions = {2}, .padding_low = {-1}, .padding_high = {2}}),
            (std::vector<float>{22, 3}));
}

TEST(ReduceWindowTest, RunningTotals) {
  const ir::Literal x = ir::Literal::of<std::int32_t>({4}, {1, 2, 3, 4});
  EXPECT_EQ(elements<std::int32_t>(
                run_op({x}, [](ir::Builder& b, Operands v) { return cumulative_sum(b, v[0], 0); })[0]),
            (std::vector<std::int32_t>{1, 3, 6, 10}));
  EXPECT_EQ(elements<std::int32_t>(
                run_op({x}, [](ir::Builder& b, Operands v) { return cumulative_sum(b, v[0], -1, true); })[0]),
            (std::vector<std::int32_t>{10, 9, 7, 4}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::reduce_window_folder
