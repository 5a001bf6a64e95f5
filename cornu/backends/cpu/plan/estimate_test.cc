#include "cornu/backends/cpu/plan/plan_text_test_support.h"

// What estimate() decides from the shapes of groups: which dots go to a matrix kernel, which groups run in
// slices, and which memory their slices leave partial results in.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Value;

class EstimateTest : public PlanText {
 protected:
  /// The buffers that estimate() adds.
  std::string scratch() const {
    const std::string before = buffers_after("assign_layouts"), after = buffers_after("estimate");
    return after.substr(0, before.size()) == before ? after.substr(before.size()) : after;
  }
};

TEST_F(EstimateTest, ALoopOverALargeTensorRunsInSlices) {
  const Value large = argument({512, 256}), small = argument({64, 256});
  plan({ops::negate(b_, large), ops::negate(b_, small)});
  EXPECT_EQ(groups_after("assign_layouts"),
            "  loop [512x256]: (b0) -> b0: negate\n"
            "  loop [64x256]: (b1) -> b1: negate\n");
  EXPECT_EQ(groups_after("estimate"),
            "  loop [512x256] slices=8: (b0) -> b0: negate\n"
            "  loop [64x256]: (b1) -> b1: negate\n");
  EXPECT_EQ(scratch(), "");
}

TEST_F(EstimateTest, WhatIsCostlyToComputeRunsInMoreSlices) {
  const Value x = argument({512, 256}), y = argument({512, 256});
  plan({ops::power(b_, x, y), ops::negate(b_, y)});
  EXPECT_EQ(groups_after("estimate"),
            "  loop [512x256] slices=39: (b0 b1) -> b0: power\n"
            "  loop [512x256] slices=8: (b1) -> b1: negate\n");
}

TEST_F(EstimateTest, WiderVectorsComputeInFewerSlices) {
  const Value x = argument({512, 256}), y = argument({512, 256});
  plan({ops::power(b_, x, y), ops::negate(b_, y)}, {.vector_lanes = 16});
  EXPECT_EQ(groups_after("estimate"),
            "  loop [512x256] slices=19: (b0 b1) -> b0: power\n"
            "  loop [512x256] slices=8: (b1) -> b1: negate\n");
}

TEST_F(EstimateTest, NothingRunsInSlicesWhereThatIsNotWanted) {
  const Value large = argument({512, 256});
  plan({ops::negate(b_, large)}, {.parallel = false});
  EXPECT_EQ(groups_after("estimate"), groups_after("assign_layouts"));
}

TEST_F(EstimateTest, TheNumberOfThreadsChangesNoSlices) {
  const Value large = argument({512, 256});
  plan({ops::negate(b_, large)}, {.num_threads = 16});
  EXPECT_EQ(groups_after("estimate"), "  loop [512x256] slices=8: (b0) -> b0: negate\n");
}

TEST_F(EstimateTest, SlicesOfASumThatIsOneNumberLeaveANumberEach) {
  argument({});
  const Value x = fixed({1024, 256});
  plan({ops::reduce_sum(b_, x, {0, 1})});
  EXPECT_EQ(groups_after("estimate"), "  reduce [1024x256] slices=8: (b1) -> b0: reduce\n");
  EXPECT_EQ(scratch(), "  b3: tensor<32xui8> arena+0\n");
}

TEST_F(EstimateTest, SlicesOfSumsOverRowsLeaveARowEach) {
  argument({256});
  const Value x = fixed({1024, 256});
  plan({ops::reduce_sum(b_, x, {0})});
  EXPECT_EQ(groups_after("estimate"), "  reduce [1024x256] slices=8: (b1) -> b0: reduce\n");
  EXPECT_EQ(scratch(), "  b3: tensor<8192xui8> arena+0\n");
}

TEST_F(EstimateTest, SlicesOfManySumsMakeSomeOfThemEach) {
  argument({1024});
  const Value x = fixed({1024, 256});
  plan({ops::reduce_sum(b_, x, {1})});
  EXPECT_EQ(groups_after("estimate"), "  reduce [1024x256] slices=8: (b1) -> b0: reduce\n");
  EXPECT_EQ(scratch(), "");
}

/// Rounding what a slice leaves would change bits.
TEST_F(EstimateTest, SlicesOfSumsOfHalvesLeaveNothing) {
  argument({}, runtime::ArgumentKind::kState, DType::kBF16);
  const Value x = argument({2048, 256}, runtime::ArgumentKind::kFixed, DType::kBF16);
  plan({ops::reduce_sum(b_, x, {0, 1})});
  EXPECT_EQ(groups_after("estimate"), "  reduce [2048x256] slices=8: (b1) -> b0: reduce\n");
  EXPECT_EQ(scratch(), "");
}

TEST_F(EstimateTest, SumsInALoopLeaveWholeCacheLinesASlice) {
  argument({8192, 20}), argument({20});
  const Value x = fixed({8192, 20});
  const Value made = ops::tanh(b_, x);
  plan({made, ops::reduce_sum(b_, made, {0})});
  EXPECT_EQ(groups_after("estimate"), "  loop [8192x20] slices=26: (b2) -> b0 b1: tanh reduce\n");
  EXPECT_EQ(scratch(), "  b5: tensor<3328xui8> arena+0\n");
}

TEST_F(EstimateTest, LargeDotsOfF32GoToAMatrixKernel) {
  argument({64, 64}), argument({32, 32});
  argument({64, 64}, runtime::ArgumentKind::kState, DType::kF64);
  const Value large = fixed({64, 64}), small = fixed({32, 32});
  const Value wide = argument({64, 64}, runtime::ArgumentKind::kFixed, DType::kF64);
  plan({ops::matmul(b_, large, large), ops::matmul(b_, small, small), ops::matmul(b_, wide, wide)});
  EXPECT_EQ(groups_after("assign_layouts"),
            "  dot [64x64]: (b3) -> b0: dot_general\n"
            "  dot [32x32]: (b4) -> b1: dot_general\n"
            "  dot [64x64]: (b5) -> b2: dot_general\n");
  EXPECT_EQ(groups_after("estimate"),
            "  matrix_dot [64x64]: (b3) -> b0: dot_general\n"
            "  dot [32x32]: (b4) -> b1: dot_general\n"
            "  dot [64x64]: (b5) -> b2: dot_general\n");
}

TEST_F(EstimateTest, ManyDotsGoToAMatrixKernelWhereEachFillsATile) {
  argument({64, 8, 64}), argument({64, 4, 64});
  const Value tall = fixed({64, 8, 64}), flat = fixed({64, 4, 64}), w = fixed({64, 64, 64});
  const ops::DotDimensions matrices = {
      .lhs_batching = {0}, .rhs_batching = {0}, .lhs_contracting = {2}, .rhs_contracting = {1}};
  plan({ops::dot_general(b_, tall, w, matrices), ops::dot_general(b_, flat, w, matrices)});
  EXPECT_EQ(groups_after("estimate"),
            "  matrix_dot [64x8x64] slices=10: (b2 b4) -> b0: dot_general\n"
            "  dot [64x4x64] slices=9: (b3 b4) -> b1: dot_general\n");
}

/// A sum of wide and one of narrow rows.
class ScatterEstimateTest : public EstimateTest {
 protected:
  void plan_for(int num_threads) {
    const Value wide = argument({512, 64}), narrow = argument({4096, 8});
    const Value ids = argument({4096}, runtime::ArgumentKind::kFixed, DType::kI32);
    const Value wide_rows = fixed({4096, 64}), narrow_rows = fixed({4096, 8});
    const Value first = ops::scatter_add_rows(b_, wide, ids, wide_rows);
    plan({first, ops::scatter_add_rows(b_, narrow, ids, narrow_rows)}, {.num_threads = num_threads});
  }
};

/// At most 16: each walks all indices.
TEST_F(ScatterEstimateTest, AScatterOfWideRowsRunsInSlicesAndOneOfNarrowRowsDoesNot) {
  plan_for(4);
  EXPECT_EQ(groups_after("estimate"),
            "  update []: (b0 b2 b3) -> b0: scatter\n"
            "    scatter [4096x64] slices=16: (b2 b3) -> b0: scatter\n"
            "  update []: (b1 b2 b4) -> b1: scatter\n"
            "    scatter [4096x8]: (b2 b4) -> b1: scatter\n");
}

TEST_F(ScatterEstimateTest, FewThreadsHaveFewSlicesOfAScatter) {
  plan_for(1);
  EXPECT_NE(groups_after("estimate").find("scatter [4096x64]: "), std::string::npos);
}

TEST_F(ScatterEstimateTest, TwoThreadsHaveFourSlicesEach) {
  plan_for(2);
  EXPECT_NE(groups_after("estimate").find("scatter [4096x64] slices=8: "), std::string::npos);
}

TEST_F(EstimateTest, KernelsRunWhole) {
  const Value w = argument({512, 512});
  plan({ops::sort_ascending(b_, w, 0)});
  EXPECT_EQ(groups_after("estimate"),
            "  kernel [512x512]: (b0) -> b1: sort\n"
            "  loop [512x512] slices=17: (b1) -> b0: copy\n");
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
