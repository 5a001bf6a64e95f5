#include <set>

#include "cornu/backends/cpu/plan/plan_text_test_support.h"
#include "cornu/base/check.h"

// Where place() puts the arena's buffers: live ranges as the groups show them in, offsets out.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Value;
using Values = std::span<const Value>;

class PlaceTest : public PlanText {
 protected:
  /// "b4 at 0, b5 at 64; 128 in all": the arena's buffers that groups use.
  std::string places() const {
    std::set<int> used;
    if (plan_.valid_rows_buffer >= 0) used.insert(plan_.valid_rows_buffer);
    for_each_group(plan_, [&](const Group& group, int) {
      for (const Store& store : group.stores) used.insert(store.buffer);
      for (const Read& read : group_reads(plan_, group)) used.insert(plan_.buffer_of.at(read.value));
      if (group.scratch_buffer >= 0) used.insert(group.scratch_buffer);
    });
    std::string out;
    for (const int i : used) {
      const PlanBuffer& buffer = plan_.buffers[static_cast<std::size_t>(i)];
      if (buffer.space == MemorySpace::kArena)
        out += fmt::format("{}b{} at {}", out.empty() ? "" : ", ", i, buffer.offset);
    }
    return out + fmt::format("; {} in all", plan_.arena_bytes);
  }
  Value number(double x) { return ops::scalar(b_, ir::DType::kF32, x); }
};

TEST_F(PlaceTest, BuffersOfWhichOneEndsBeforeTheOtherBeginsShareBytes) {
  const Value w = argument({8, 8});
  Value x = w;
  for (int i = 0; i < 4; ++i) x = ops::matmul(b_, x, w);
  EXPECT_EQ(groups({x}),
            "  dot [8x8]: (b0) -> b1: dot_general\n"
            "  dot [8x8]: (b1 b0) -> b2: dot_general\n"
            "  dot [8x8]: (b2 b0) -> b3: dot_general\n"
            "  dot [8x8]: (b3 b0) -> b4: dot_general\n"
            "  loop [8x8]: (b4) -> b0: copy\n");
  EXPECT_EQ(places(), "b1 at 0, b2 at 256, b3 at 0, b4 at 256; 512 in all");
}

TEST_F(PlaceTest, WhatAGroupReadsAndWhatItWritesLieApart) {
  const Value w = argument({8, 8});
  const Value first = ops::matmul(b_, w, w);
  const Value second = ops::matmul(b_, first, w);
  EXPECT_EQ(groups({ops::matmul(b_, second, first)}),
            "  dot [8x8]: (b0) -> b1: dot_general\n"
            "  dot [8x8]: (b1 b0) -> b2: dot_general\n"
            "  dot [8x8]: (b2 b1) -> b0: dot_general\n");
  EXPECT_EQ(places(), "b1 at 0, b2 at 256; 512 in all");
}

TEST_F(PlaceTest, LargeBuffersChooseFirstAndEachBeginsACacheLine) {
  argument({3, 3}), argument({16, 16});
  const Value x = fixed({3, 16}), y = fixed({16, 3});
  const Value small = ops::matmul(b_, x, y), large = ops::matmul(b_, y, x);
  EXPECT_EQ(groups({ops::matmul(b_, small, small), ops::matmul(b_, large, large)}),
            "  dot [3x3]: (b2 b3) -> b4: dot_general\n"
            "  dot [16x16]: (b3 b2) -> b5: dot_general\n"
            "  dot [3x3]: (b4) -> b0: dot_general\n"
            "  dot [16x16]: (b5) -> b1: dot_general\n");
  EXPECT_EQ(places(), "b4 at 1024, b5 at 0; 1088 in all");
}

TEST_F(PlaceTest, WhatALoopReadsLivesForAllItsIterations) {
  const Value w = argument({8, 8}), count = fixed({});
  const Value read = ops::matmul(b_, w, w);
  const std::vector<Value> out = ops::while_(
      b_, {count, w},
      [](ir::Builder& c, Values v) {
        return ops::compare(c, v[0], ops::scalar(c, ir::DType::kF32, 3), ops::ComparisonDirection::kLt);
      },
      [&](ir::Builder& c, Values v) -> std::vector<Value> {
        // `read` is read first; what comes behind it in the body may not take its bytes.
        const Value once = ops::matmul(c, v[1], read);
        const Value twice = ops::matmul(c, once, v[1]);
        return {ops::add(c, v[0], ops::scalar(c, ir::DType::kF32, 1)), ops::matmul(c, twice, v[1])};
      });
  EXPECT_EQ(groups({out[1]}),
            "  dot [8x8]: (b0) -> b2: dot_general\n"
            "  while []: (b1 b0 b2) -> b3 b0: while\n"
            "    loop []: (b1) -> b3: copy\n"
            "    loop []: (b3) -> b5: compare\n"
            "    dot [8x8]: (b0 b2) -> b6: dot_general\n"
            "    dot [8x8]: (b6 b0) -> b7: dot_general\n"
            "    loop []: (b3) -> b3: add\n"
            "    dot [8x8]: (b7 b0) -> b9: dot_general\n"
            "    loop [8x8]: (b9) -> b0: copy\n");
  EXPECT_EQ(places(), "b2 at 0, b3 at 768, b5 at 256, b6 at 256, b7 at 512, b9 at 256; 832 in all");
}

TEST_F(PlaceTest, BranchesOfOneChoiceShareBytes) {
  const Value w = argument({8, 8}), choice = fixed({});
  const Value positive = ops::compare(b_, choice, number(0), ops::ComparisonDirection::kGt);
  const auto powers = [&](int n) {
    return [&w, n](ir::Builder& c) -> std::vector<Value> {
      Value x = w;
      for (int i = 0; i < n; ++i) x = ops::matmul(c, x, w);
      return {x};
    };
  };
  EXPECT_EQ(groups({ops::if_(b_, positive, powers(2), powers(3))[0]}),
            "  loop []: (b1) -> b2: compare\n"
            "  branch []: (b2 b0) -> b0: if\n"
            "    dot [8x8]: (b0) -> b4: dot_general\n"
            "    dot [8x8]: (b4 b0) -> b5: dot_general\n"
            "    loop [8x8]: (b5) -> b0: copy\n"
            "    dot [8x8]: (b0) -> b6: dot_general\n"
            "    dot [8x8]: (b6 b0) -> b7: dot_general\n"
            "    dot [8x8]: (b7 b0) -> b8: dot_general\n"
            "    loop [8x8]: (b8) -> b0: copy\n");
  EXPECT_EQ(places(), "b2 at 512, b4 at 0, b5 at 256, b6 at 0, b7 at 256, b8 at 0; 576 in all");
}

TEST_F(PlaceTest, AKernelsScratchMemoryLivesWhileItRuns) {
  const Value w = argument({64, 64});
  const Value sorted = ops::sort_ascending(b_, ops::matmul(b_, w, w), 0);
  EXPECT_EQ(groups({ops::matmul(b_, ops::matmul(b_, sorted, w), w)}, {.target = Target{}}),
            "  matrix_dot [64x64]: (b0) -> b1: dot_general\n"
            "  kernel [64x64]: (b1) -> b2: sort\n"
            "  matrix_dot [64x64]: (b2 b0) -> b3: dot_general\n"
            "  matrix_dot [64x64]: (b3 b0) -> b4: dot_general\n"
            "  loop [64x64]: (b4) -> b0: copy\n");
  EXPECT_EQ(places(), "b1 at 0, b2 at 16384, b3 at 0, b4 at 16384, b5 at 32768; 34304 in all");
}

TEST_F(PlaceTest, ScratchMemoryIsWhatTheKernelSays) {
  const Value w = argument({64, 64});
  plan({ops::sort_ascending(b_, w, 0)}, {.target = Target{}, .num_threads = 2});
  ASSERT_TRUE(plan_.groups[0].is<KernelGroup>());
  const auto kernel = make_group_kernel(*plan_.groups[0].op, Target{}, 2);
  EXPECT_GT(kernel->scratch_bytes(), 0U);
  EXPECT_EQ(plan_.buffers[static_cast<std::size_t>(plan_.groups[0].scratch_buffer)].type.size_bytes(),
            kernel->scratch_bytes());
}

TEST_F(PlaceTest, TheNumberOfValidRowsIsThereFromTheStart) {
  const Value total = argument({});
  const Value x = fixed({8, 8});
  const Value rows = argument({}, runtime::ArgumentKind::kValidRows, ir::DType::kI32);
  // Read by the last group only, while the first two products already lie side by side.
  const Value sum = ops::reduce_sum(b_, ops::matmul(b_, ops::matmul(b_, x, x), x), {0, 1});
  EXPECT_EQ(groups({ops::add(b_, total, ops::multiply(b_, sum, ops::convert(b_, rows, ir::DType::kF32)))}),
            "  dot [8x8]: (b1) -> b3: dot_general\n"
            "  dot [8x8]: (b3 b1) -> b4: dot_general\n"
            "  reduce [8x8]: (b4) -> b5: reduce\n"
            "  loop []: (b0 b5 b2) -> b0: convert multiply add\n");
  EXPECT_EQ(places(), "b2 at 512, b3 at 0, b4 at 256, b5 at 0; 576 in all");
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
