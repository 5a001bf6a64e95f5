#include <gtest/gtest.h>

#include <set>

#include "cornu/backends/cpu/plan/plan_text_test_support.h"
#include "cornu/backends/cpu/plan/walk.h"
#include "cornu/backends/cpu/step_test_support.h"

// Whole plans; what single passes decide stands in their own tests.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Value;
using runtime::ArgumentKind;

using PlanTest = PlanText;

TEST_F(PlanTest, ElementwiseOpsOfOneShapeShareALoopAndUpdateInPlace) {
  const Value w = argument({64});
  const Value g = argument({64}, ArgumentKind::kFixed);
  const Value step = ops::multiply(b_, ops::tanh(b_, g), ops::full(b_, g.type(), 0.5));
  EXPECT_EQ(groups({ops::subtract(b_, w, step)}), "  loop [64]: (b0 b1) -> b0: tanh multiply subtract\n");
}

TEST_F(PlanTest, WithoutFusionEveryOpIsAGroup) {
  const Value w = argument({64});
  PlanOptions options;
  options.fuse = false;
  EXPECT_EQ(groups({ops::tanh(b_, ops::exponential(b_, w))}, options),
            "  loop [64]: (b0) -> b1: exponential\n"
            "  loop [64]: (b1) -> b0: tanh\n");
}

TEST_F(PlanTest, WhatFeedsAReduceRunsInItsLoop) {
  const Value total = argument({});
  const Value x = argument({16, 8}, ArgumentKind::kFixed);
  EXPECT_EQ(groups({ops::add(b_, total, ops::reduce_sum(b_, ops::multiply(b_, x, x), {0, 1}))}),
            "  reduce [16x8]: (b1) -> b2: multiply reduce\n"
            "  loop []: (b0 b2) -> b0: add\n");
}

TEST_F(PlanTest, SwappedStatesGoThroughAThirdBuffer) {
  const Value p = argument({4});
  const Value q = argument({4});
  EXPECT_EQ(groups({q, p}),
            "  loop [4]: (b0) -> b3: convert\n"
            "  loop [4]: (b1) -> b0: convert\n"
            "  loop [4]: (b3) -> b1: copy\n");
}

TEST_F(PlanTest, AStateIsOverwrittenAfterItsLastReader) {
  const Value w = argument({8, 8});
  const Value x = argument({8, 8}, ArgumentKind::kFixed);
  const Value other = argument({8, 8});
  const Value updated = ops::negate(b_, w);  // first in program order, and last to run
  EXPECT_EQ(groups({updated, ops::add(b_, other, ops::matmul(b_, x, w))}),
            "  dot [8x8]: (b1 b0) -> b4: dot_general\n"
            "  loop [8x8]: (b0) -> b0: negate\n"
            "  loop [8x8]: (b2 b4) -> b2: add\n");
}

TEST_F(PlanTest, WhatIsComputedAgainBehindABarrierIsNotStored) {
  const Value w = argument({64, 64});
  const Value h = ops::matmul(b_, argument({64, 64}, ArgumentKind::kFixed), w);
  const Value y = ops::matmul(b_, ops::tanh(b_, h), w);
  const Value again = ops::tanh(b_, ops::optimization_barrier(b_, {h})[0]);
  EXPECT_EQ(groups({ops::add(b_, w, ops::multiply(b_, y, again))}),
            "  matrix_dot [64x64]: (b1 b0) -> b2: dot_general\n"
            "  loop [64x64]: (b2) -> b3: tanh\n"
            "  matrix_dot [64x64]: (b3 b0) -> b4: dot_general\n"
            "  loop [64x64]: (b0 b4 b2) -> b0: tanh multiply add\n");
}

TEST_F(PlanTest, ATransposeOfItselfIsNotFused) {
  const Value w = argument({8, 8});
  const Value t = ops::tanh(b_, w);
  EXPECT_EQ(groups({ops::add(b_, t, ops::transpose(b_, t, {1, 0}))}),
            "  loop [8x8]: (b0) -> b1: tanh\n"
            "  loop [8x8]: (b1) -> b0: add\n");
}

TEST_F(PlanTest, FewColumnsAreStoredByColumn) {
  const Value w = argument({8, 3});
  const Value x = argument({20, 8}, ArgumentKind::kFixed);
  const Value y = ops::exponential(b_, ops::matmul(b_, x, w));
  groups({ops::add(b_, w, ops::matmul(b_, ops::transpose(b_, x, {1, 0}), y))});
  EXPECT_EQ(plan_.buffer(plan_.groups[0].stores[0].value).strides, (ir::Dims{1, 20}));
}

TEST_F(PlanTest, BuffersWhoseLivesDoNotOverlapShareBytes) {
  Value x = argument({32, 32});
  const Value first = x;
  for (int i = 0; i < 6; ++i) x = ops::matmul(b_, x, first);
  groups({x});
  EXPECT_LE(plan_.arena_bytes,
            3U * 32 * 32 * 4);  // an input, an output, and the result that cannot go in place
}

TEST_F(PlanTest, LargeDotsGoToMatrixKernelsAndLargeLoopsInSlices) {
  const Value w = argument({512, 512});
  const Value x = argument({128, 512}, ArgumentKind::kFixed);
  groups({ops::add(b_, w, ops::matmul(b_, ops::transpose(b_, x, {1, 0}), x))});
  ASSERT_EQ(plan_.groups.size(), 2U);
  EXPECT_TRUE(plan_.groups[0].is<MatrixDotGroup>());
  EXPECT_GT(plan_.groups[1].num_slices, 1);
}

TEST_F(PlanTest, ALongChainOfOpsIsCutIntoGroups) {
  Value x = argument({8});
  for (int i = 0; i < 20'000; ++i) x = ops::tanh(b_, x);
  groups({x});
  EXPECT_EQ(plan_.groups.size(), 40U);  // of 512 ops at most
}

TEST_F(PlanTest, AChainOfViewsIsCutByMemory) {
  Value x = argument({4, 6});
  for (int i = 0; i < 5'000; ++i) x = ops::reverse(b_, ops::transpose(b_, x, {1, 0}), {0});
  groups({x});
  EXPECT_GE(plan_.groups.size(), 1U);
}

TEST_F(PlanTest, WindowsWithoutPaddingReadTheirInputAndOthersAPaddedOne) {
  const Value x = argument({16, 16});
  const ops::WindowOptions quarters = {.dimensions = {4, 4}, .strides = {4, 4}};
  argument({4, 4});
  argument({16, 16});
  EXPECT_EQ(groups({ops::negate(b_, x), ops::reduce_window_max(b_, x, quarters),
                    ops::reduce_window_sum(
                        b_, x, {.dimensions = {4, 4}, .padding_low = {1, 1}, .padding_high = {2, 2}})}),
            "  reduce [4x4x4x4]: (b0) -> b1: reduce_window\n"
            "  update []: (b0) -> b5: pad\n"
            "    loop [1x19]: () -> b5: copy\n"
            "    loop [2x19]: () -> b5: copy\n"
            "    loop [16x1]: () -> b5: copy\n"
            "    loop [16x2]: () -> b5: copy\n"
            "    loop [16x16]: (b0) -> b5: copy\n"
            "  loop [16x16]: (b0) -> b0: negate\n"
            "  reduce [16x16x4x4]: (b5) -> b2: reduce_window\n");
}

/// relu(x + bias) over channels.
Value activated(ir::Builder& b, Value x, Value bias) {
  const Value sum = ops::add(b, x, ops::broadcast_in_dim(b, bias, x.dims(), {3}));
  return ops::maximum(b, sum, ops::full(b, x.type(), 0));
}

TEST_F(PlanTest, APoolComputesWhatItPoolsAndWhatFollowsInItsLoop) {
  const Value pooled = argument({4, 8, 8, 32});
  const Value x = argument({4, 17, 16, 32}, ArgumentKind::kFixed);
  const Value bias = argument({32}, ArgumentKind::kFixed);
  const ops::WindowOptions halves = {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}};
  EXPECT_EQ(groups({ops::multiply(b_, ops::reduce_window_max(b_, activated(b_, x, bias), halves), pooled)}),
            "  loop [4x8x8x32]: (b1 b2 b0) -> b0: reduce_window multiply\n");
}

TEST_F(PlanTest, ThePoolsGradientRunsWindowByWindowWithItsMaskAndSum) {
  argument({4, 17, 16, 32});
  argument({32});
  const Value x = argument({4, 17, 16, 32}, ArgumentKind::kFixed);
  const Value bias = argument({32}, ArgumentKind::kFixed);
  const Value scale = argument({4, 8, 8, 32}, ArgumentKind::kFixed);
  const Value active = activated(b_, x, bias);
  const Value zeros = ops::full(b_, x.type(), 0);
  const Value scattered = ops::select_and_scatter_add(b_, active, ops::tanh(b_, scale),
                                                      {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}},
                                                      ops::ComparisonDirection::kGe);
  const Value sum = ops::add(b_, x, ops::broadcast_in_dim(b_, bias, x.dims(), {3}));
  const Value dx =
      ops::select(b_, ops::compare(b_, sum, zeros, ops::ComparisonDirection::kGt), scattered, zeros);
  // The last row of 17 lies in no window: a loop of its own.
  EXPECT_EQ(groups({dx, ops::reduce_sum(b_, dx, {0, 1, 2})}),
            "  loop [4x8x8x32] tile=[1x2x2x1] slices=3: (b2 b3 b4) -> b0 b0 b0 b0 b1: select_and_scatter "
            "select reduce\n"
            "  loop [4x1x16x32]: (b2 b3) -> b0: select_and_scatter select reduce\n");
}

TEST_F(PlanTest, AReductionJoinsTheLoopThatMakesItsElements) {
  argument({8, 64, 32});
  argument({32});
  const Value x = argument({8, 64, 32}, ArgumentKind::kFixed);
  const Value made = ops::tanh(b_, x);
  EXPECT_EQ(groups({made, ops::reduce_sum(b_, ops::multiply(b_, made, x), {0, 1})}),
            "  loop [8x64x32] slices=2: (b2) -> b0 b1: tanh multiply reduce\n");
}

TEST_F(PlanTest, WhatOneLoopNeedsOnceIsComputedThereThoughCostly) {
  argument({4, 8, 32});
  const Value key = argument({}, ArgumentKind::kFixed);
  const Value x = argument({4, 8, 32}, ArgumentKind::kFixed);
  const Value word = ops::bitcast_convert(b_, key, DType::kU32);
  const Value bits = ops::reshape(b_, ops::random_bits(b_, word, word, word, {1024}), x.dims());
  const Value keep = ops::compare(b_, bits, ops::full(b_, bits.type(), 1e9), ops::ComparisonDirection::kLt);
  const std::string text = groups({ops::select(b_, keep, x, ops::full(b_, x.type(), 0))});
  EXPECT_EQ(text,
            "  loop []: (b1) -> b3: bitcast_convert xor*2 add*5\n"
            "  loop [4x8x32]: (b1 b3 b2) -> b0: compare select\n");
}

TEST_F(PlanTest, WhatACopyWouldComputeAgainAndAgainIsComputedOnce) {
  argument({8192, 256});
  const Value x = argument({256}, ArgumentKind::kFixed);
  const Value made = ops::tanh(b_, ops::tanh(b_, x));
  EXPECT_EQ(groups({ops::broadcast_in_dim(b_, made, {8192, 256}, {1})}),
            "  loop [256]: (b1) -> b2: tanh*2\n"
            "  loop [8192x256] slices=64: (b2) -> b0: broadcast_in_dim\n");
}

TEST_F(PlanTest, ADotReadsAFlattenedTensorWhereItIs) {
  argument({8, 20});
  const Value x = argument({8, 4, 4, 16}, ArgumentKind::kFixed);
  const Value w = argument({256, 20}, ArgumentKind::kFixed);
  EXPECT_EQ(groups({ops::matmul(b_, ops::reshape(b_, ops::tanh(b_, x), {8, 256}), w)}),
            "  loop [8x4x4x16]: (b1) -> b3: tanh\n"
            "  dot [8x20]: (b3 b2) -> b0: dot_general\n");
}

TEST_F(PlanTest, AReshapedOutputIsMadeInPlace) {
  const Value x = argument({40, 30}, ArgumentKind::kFixed);
  const Value repeated = ops::broadcast_in_dim(b_, x, {40, 3, 30}, {0, 2});
  const Value sums = ops::reduce_sum(b_, ops::tanh(b_, x), {1});
  EXPECT_EQ(groups({ops::reshape(b_, repeated, {120, 30}), ops::reshape(b_, sums, {5, 8}), sums}),
            "  loop [40x3x30]: (b0) -> b1: broadcast_in_dim\n"
            "  reduce [40x30]: (b0) -> b2: tanh reduce\n"
            "  loop [5x8]: (b2) -> b3: reshape\n");
}

TEST_F(PlanTest, AConcatenateOfConcatenatesWritesItsPartsOnce) {
  const Value x = argument({6, 40}, ArgumentKind::kFixed);
  const Value wide = ops::concatenate(b_, {x, ops::reverse(b_, x, {0})}, 1);
  EXPECT_EQ(groups({ops::concatenate(b_, {wide, ops::concatenate(b_, {x, x}, 1)}, 0)}),
            "  update []: (b0) -> b1: concatenate*3\n"
            "    loop [6x40]: (b0) -> b1: copy\n"
            "    loop [6x40]: (b0) -> b1: copy\n"
            "    loop [6x40]: (b0) -> b1: copy\n"
            "    loop [6x40]: (b0) -> b1: copy\n");
}

TEST_F(PlanTest, PartsOfAConcatenateThatNeedEachOtherAreOneLoop) {
  const Value x = argument({2, 3, 64}, ArgumentKind::kFixed);
  std::vector<Value> sums;
  for (std::int64_t i = 0; i < 3; ++i) {
    const Value row = ops::slice(b_, x, {0, i, 0}, {2, i + 1, 64}, {1, 1, 1});
    sums.push_back(i == 0 ? ops::tanh(b_, row) : ops::add(b_, sums.back(), row));
  }
  EXPECT_EQ(groups({ops::concatenate(b_, sums, 1)}),
            "  update []: (b0) -> b1: concatenate\n"
            "    loop [2x1x64]: (b0) -> b1 b1 b1: copy\n");
}

TEST_F(PlanTest, AReshapedTransposeIsCopiedOnce) {
  argument({48, 20});
  const Value heads = argument({4, 6, 2, 8}, ArgumentKind::kFixed);
  const Value w = argument({8, 20}, ArgumentKind::kFixed);
  const Value before_steps = ops::transpose(b_, heads, {0, 2, 1, 3});
  EXPECT_EQ(groups({ops::matmul(b_, ops::reshape(b_, before_steps, {48, 8}), w)}),
            "  loop [4x2x6x8]: (b1) -> b3: transpose\n"
            "  dot [48x20]: (b3 b2) -> b0: dot_general\n");
}

TEST_F(PlanTest, TheMaskOfAnActivationThatIsInMemoryReadsIt) {
  argument({32, 32});
  argument({32, 32});
  const Value x = argument({32, 32}, ArgumentKind::kFixed);
  const Value product = ops::matmul(b_, x, x);
  const Value zeros = ops::full(b_, x.type(), 0);
  const Value active = ops::maximum(b_, product, zeros);
  const Value next = ops::matmul(b_, active, x);
  const Value mask = ops::compare(b_, product, zeros, ops::ComparisonDirection::kGt);
  // Nothing reads the product any more once it is activated, so that takes its place.
  const std::string text = groups({next, ops::select(b_, mask, next, zeros)});
  EXPECT_EQ(text,
            "  dot [32x32]: (b2) -> b3: dot_general\n"
            "  loop [32x32]: (b3) -> b5: maximum compare\n"
            "  dot [32x32]: (b5 b2) -> b0: dot_general\n"
            "  loop [32x32]: (b5 b0) -> b1: select\n");
}

TEST_F(PlanTest, ANormalizationAndItsActivationAreReadAgainFromWhatTheyAreMadeOf) {
  const Value w = argument({32, 64}), gamma = argument({64}), beta = argument({64});
  argument({64, 8});
  const Value x = argument({4096, 32}, ArgumentKind::kFixed);
  const Value above = argument({4096, 8}, ArgumentKind::kFixed), v = argument({64, 8}, ArgumentKind::kFixed);
  const Value product = ops::matmul(b_, x, w);
  const ops::BatchNormTraining normalized = ops::batch_norm_training(b_, product, gamma, beta, {}, {});
  const Value zeros = ops::full(b_, product.type(), 0);
  const Value active = ops::maximum(b_, normalized.y, zeros);
  const Value positive = ops::compare(b_, normalized.y, zeros, ops::ComparisonDirection::kGt);
  const Value dy = ops::select(b_, positive, ops::matmul(b_, above, ops::transpose(b_, v, {1, 0})), zeros);
  const ops::BatchNormGradient gradient =
      ops::batch_norm_gradient(b_, product, gamma, normalized.mean, normalized.variance, dy, {}, {});
  groups({ops::matmul(b_, ops::transpose(b_, x, {1, 0}), gradient.x), gradient.gamma, gradient.beta,
          ops::matmul(b_, ops::transpose(b_, active, {1, 0}), above)});
  const ir::Dims& dims = product.dims();
  std::set<int> read, written;
  for (const Group& group : plan_.groups) {
    if (!group.is<LoopGroup>() && !group.is<ReduceGroup>()) continue;
    for (const Read& each : group_reads(plan_, group))
      if (each.value.dims() == dims) read.insert(plan_.buffer_of.at(each.value));
    for (const Store& store : group.stores)
      if (store.value.dims() == dims) written.insert(store.buffer);
  }
  EXPECT_EQ(read.size(), 2U) << plan_str(plan_);     // the product, and the gradient of what is active
  EXPECT_EQ(written.size(), 2U) << plan_str(plan_);  // what is active, and the product's gradient
}

TEST_F(PlanTest, WhatALoopComputesBehindAViewIsAmongItsOps) {
  argument({3, 2});
  const Value x = argument({2, 3}, ArgumentKind::kFixed), y = argument({2, 3}, ArgumentKind::kFixed);
  groups({ops::transpose(b_, ops::exponential(b_, ops::add(b_, x, y)), {1, 0})});
  ASSERT_EQ(plan_.groups.size(), 1U) << plan_str(plan_);
  EXPECT_EQ(plan_.groups[0].flops, 12);
  EXPECT_EQ(group_ops(plan_.groups[0], computed_ops(plan_).at(0)), "add exponential transpose");
}

TEST_F(PlanTest, EveryOpOfATrainingStepIsOneOfSomeGroup) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  const Plan plan = make_plan({&step.function, step.kinds, "step"}, {});
  std::set<const ir::Op*> computed;
  for (const std::vector<const ir::Op*>& ops : computed_ops(plan)) computed.insert(ops.begin(), ops.end());
  for (const auto& op : plan.step->body.ops()) {
    if (classify(*op) == OpKind::kView || classify(*op) == OpKind::kLeaf) continue;
    EXPECT_TRUE(computed.contains(op.get())) << op->name() << "\n" << plan_str(plan);
  }
}

TEST_F(PlanTest, ATrainingStepFallsBackNowhere) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  const Plan plan = make_plan({&step.function, step.kinds, "step"}, {});
  for (const Group& group : plan.groups) EXPECT_FALSE(group.is<ReferenceGroup>()) << group_ops(group);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
