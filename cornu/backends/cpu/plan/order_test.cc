#include "cornu/backends/cpu/plan/plan_text_test_support.h"

// What order() makes of the groups that fuse() found: in which order they run, which result is made in which
// buffer, and which copies that takes. Before it each result has a buffer of its own.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Value;

using OrderTest = PlanText;

TEST_F(OrderTest, AStateIsOverwrittenByWhatReplacesItOnceItsLastReaderRan) {
  const Value w = argument({8, 8}), other = argument({8, 8}), x = fixed({8, 8});
  const Value updated = ops::negate(b_, w);  // first in program order, last to run
  plan({updated, ops::add(b_, other, ops::matmul(b_, x, w))});
  EXPECT_EQ(groups_after("fuse"),
            "  loop [8x8]: (b0) -> b3: negate\n"
            "  dot [8x8]: (b2 b0) -> b4: dot_general\n"
            "  loop [8x8]: (b1 b4) -> b5: add\n");
  EXPECT_EQ(groups_after("order"),
            "  dot [8x8]: (b2 b0) -> b4: dot_general\n"
            "  loop [8x8]: (b0) -> b0: negate\n"
            "  loop [8x8]: (b1 b4) -> b1: add\n");
}

TEST_F(OrderTest, WhereAReaderNeedsTheNewValueTooTheStateIsCopiedAtTheEnd) {
  const Value w = argument({8, 8}), other = argument({8, 8});
  const Value updated = ops::tanh(b_, w);
  plan({updated, ops::add(b_, other, ops::matmul(b_, updated, w))});
  EXPECT_EQ(groups_after("fuse"),
            "  loop [8x8]: (b0) -> b2: tanh\n"
            "  dot [8x8]: (b2 b0) -> b3: dot_general\n"
            "  loop [8x8]: (b1 b3) -> b4: add\n");
  EXPECT_EQ(groups_after("order"),
            "  loop [8x8]: (b0) -> b2: tanh\n"
            "  dot [8x8]: (b2 b0) -> b3: dot_general\n"
            "  loop [8x8]: (b1 b3) -> b1: add\n"
            "  loop [8x8]: (b2) -> b0: copy\n");
}

TEST_F(OrderTest, ALoopThatReadsTheStateAtOtherIndicesDoesNotOverwriteIt) {
  const Value w = argument({8, 8});
  plan({ops::add(b_, w, ops::transpose(b_, w, {1, 0}))});
  EXPECT_EQ(groups_after("fuse"), "  loop [8x8]: (b0) -> b1: add\n");
  EXPECT_EQ(groups_after("order"),
            "  loop [8x8]: (b0) -> b1: add\n"
            "  loop [8x8]: (b1) -> b0: copy\n");
}

TEST_F(OrderTest, StatesThatSwapPassThroughAThirdBuffer) {
  const Value p = argument({4}), q = argument({4});
  plan({q, p});
  EXPECT_EQ(groups_after("fuse"),
            "  loop [4]: (b1) -> b2: convert\n"
            "  loop [4]: (b0) -> b3: convert\n");
  EXPECT_EQ(groups_after("order"),
            "  loop [4]: (b0) -> b3: convert\n"
            "  loop [4]: (b1) -> b0: convert\n"
            "  loop [4]: (b3) -> b1: copy\n");
}

TEST_F(OrderTest, AnUpdatedSliceIsWrittenIntoItsTensor) {
  const Value w = argument({8, 8}), total = argument({}), row = fixed({1, 8});
  const Value zero = ops::scalar(b_, ir::DType::kI32, 0);
  const Value updated = ops::dynamic_update_slice(b_, w, row, {zero, zero});
  plan({updated, ops::add(b_, total, ops::reduce_sum(b_, w, {0, 1}))});
  EXPECT_EQ(groups_after("fuse"),
            "  loop []: () -> b3: constant\n"
            "  update []: (b0 b2 b3) -> b4: dynamic_update_slice\n"
            "  reduce [8x8]: (b0) -> b5: reduce\n"
            "  loop []: (b1 b5) -> b6: add\n");
  EXPECT_EQ(groups_after("order"),
            "  loop []: () -> b3: constant\n"
            "  reduce [8x8]: (b0) -> b5: reduce\n"
            "  update []: (b0 b2 b3) -> b0: dynamic_update_slice\n"
            "    loop [1x8]: (b2 b3) -> b0: copy\n"
            "  loop []: (b1 b5) -> b1: add\n");
}

TEST_F(OrderTest, AnUpdatedSliceIsACopyWhereTheOldTensorIsAResult) {
  const Value w = argument({8, 8});
  argument({8, 8});
  const Value row = fixed({1, 8});
  const Value zero = ops::scalar(b_, ir::DType::kI32, 0);
  const Value made = ops::tanh(b_, ops::matmul(b_, w, w));
  plan({ops::dynamic_update_slice(b_, made, row, {zero, zero}), made});
  EXPECT_EQ(groups_after("fuse"),
            "  loop []: () -> b3: constant\n"
            "  dot [8x8]: (b0) -> b4: dot_general\n"
            "  loop [8x8]: (b4) -> b5: tanh\n"
            "  update []: (b5 b2 b3) -> b6: dynamic_update_slice\n");
  EXPECT_EQ(groups_after("order"),
            "  loop []: () -> b3: constant\n"
            "  dot [8x8]: (b0) -> b4: dot_general\n"
            "  loop [8x8]: (b4) -> b1: tanh\n"
            "  update []: (b1 b2 b3) -> b0: dynamic_update_slice\n"
            "    loop [8x8]: (b1) -> b0: copy\n"
            "    loop [1x8]: (b2 b3) -> b0: copy\n");
}

TEST_F(OrderTest, ALoopOverALargeTensorWritesOverAnOperandThatNobodyReadsAgain) {
  const Value w = argument({128, 128});
  const Value product = ops::matmul(b_, w, w);
  plan({ops::matmul(b_, ops::tanh(b_, product), w)});  // 64 KiB each
  EXPECT_EQ(groups_after("fuse"),
            "  dot [128x128]: (b0) -> b1: dot_general\n"
            "  loop [128x128]: (b1) -> b2: tanh\n"
            "  dot [128x128]: (b2 b0) -> b3: dot_general\n");
  EXPECT_EQ(groups_after("order"),
            "  dot [128x128]: (b0) -> b1: dot_general\n"
            "  loop [128x128]: (b1) -> b1: tanh\n"
            "  dot [128x128]: (b1 b0) -> b3: dot_general\n"
            "  loop [128x128]: (b3) -> b0: copy\n");
}

TEST_F(OrderTest, ALoopOverASmallTensorKeepsABufferOfItsOwn) {
  const Value w = argument({64, 64});
  const Value product = ops::matmul(b_, w, w);
  plan({ops::matmul(b_, ops::tanh(b_, product), w)});
  EXPECT_EQ(groups_after("order"),
            "  dot [64x64]: (b0) -> b1: dot_general\n"
            "  loop [64x64]: (b1) -> b2: tanh\n"
            "  dot [64x64]: (b2 b0) -> b3: dot_general\n"
            "  loop [64x64]: (b3) -> b0: copy\n");
}

TEST_F(OrderTest, ACarriedValueIsUpdatedInPlaceInALoopsBody) {
  const Value w = argument({8, 8}), count = fixed({});
  const std::vector<Value> out = ops::while_(
      b_, {count, w},
      [](ir::Builder& c, std::span<const Value> v) {
        return ops::compare(c, v[0], ops::scalar(c, ir::DType::kF32, 3), ops::ComparisonDirection::kLt);
      },
      [](ir::Builder& c, std::span<const Value> v) -> std::vector<Value> {
        return {ops::add(c, v[0], ops::scalar(c, ir::DType::kF32, 1)), ops::tanh(c, v[1])};
      });
  plan({out[1]});
  EXPECT_EQ(groups_after("fuse"), "  while []: (b1 b0) -> b2 b3: while\n");
  EXPECT_EQ(groups_after("order"),
            "  while []: (b1 b0) -> b2 b0: while\n"
            "    loop []: (b1) -> b2: copy\n"
            "    loop []: (b2) -> b4: compare\n"
            "    loop []: (b2) -> b2: add\n"
            "    loop [8x8]: (b0) -> b0: tanh\n");
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
