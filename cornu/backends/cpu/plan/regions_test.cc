#include "cornu/backends/cpu/plan/plan_text_test_support.h"

// Tests of a step after prepare_regions() and then insert_copies(): fuse() must find outer values of regions
// in memory, and a group of its own for every result.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Value;
using Values = std::span<const Value>;
using Results = std::vector<Value>;

class PrepareRegionsTest : public PlanText {
 protected:
  /// Repeats a body while its counter is below 3. The body gets the other carried values; returns their final
  /// values.
  static Results repeat(ir::Builder& b, Value count, const Results& initial,
                        const std::function<Results(ir::Builder&, Values)>& body) {
    Results carried = {count};
    carried.insert(carried.end(), initial.begin(), initial.end());
    const Results out = ops::while_(
        b, carried,
        [](ir::Builder& c, Values v) {
          return ops::compare(c, v[0], ops::scalar(c, DType::kF32, 3), ops::ComparisonDirection::kLt);
        },
        [&](ir::Builder& c, Values v) {
          Results next = {ops::add(c, v[0], ops::scalar(c, DType::kF32, 1))};
          for (const Value& value : body(c, v.subspan(1))) next.push_back(value);
          return next;
        });
    return {out.begin() + 1, out.end()};
  }
  /// max(x, 0), and the mask of positive x.
  struct Activation {
    Value zeros, active, mask;
  };
  Activation activated(Value x) {
    const Value zeros = ops::full(b_, x.type(), 0);
    const Value active = ops::maximum(b_, x, zeros);
    return {zeros, active, ops::compare(b_, x, zeros, ops::ComparisonDirection::kGt)};
  }
  /// The step before prepare_regions().
  const std::string& before() const { return step_after("bucket_gradients"); }
};

TEST_F(PrepareRegionsTest, ViewsAndLeavesFromOutsideAreMadeWhereTheyAreUsed) {
  const Value w = argument({4, 3}), count = fixed({}), x = fixed({3, 4});
  const Value turned = ops::transpose(b_, ops::tanh(b_, x), {1, 0});
  const Value rows = ops::iota(b_, w.type(), 0);
  plan({repeat(b_, count, {w}, [&](ir::Builder& c, Values v) -> Results {
    const Value product = ops::multiply(c, v[0], turned);
    const Value sum = ops::add(c, product, rows);
    return {ops::subtract(c, sum, turned)};
  })[0]});
  const std::string outside_and_counter =
      "  v0 = tanh(a2): 3x4xf32\n"
      "  v1 = transpose(v0): 4x3xf32\n"
      "  v2 = iota(): 4x3xf32\n"
      "  v3 v4 = while(a1 a0): f32\n"
      "    (r0 r1):\n"
      "      v5 = constant(3): f32\n"
      "      v6 = compare(r0 v5): i1\n"
      "      return v6\n"
      "    (r2 r3):\n"
      "      v7 = constant(1): f32\n"
      "      v8 = add(r2 v7): f32\n";
  EXPECT_EQ(before(), outside_and_counter +
                          "      v9 = multiply(r3 v1): 4x3xf32\n"
                          "      v10 = add(v9 v2): 4x3xf32\n"
                          "      v11 = subtract(v10 v1): 4x3xf32\n"
                          "      return v8 v11\n"
                          "  return v4\n");
  EXPECT_EQ(step_after("prepare_regions"), outside_and_counter +
                                               "      v9 = transpose(v0): 4x3xf32\n"
                                               "      v10 = multiply(r3 v9): 4x3xf32\n"
                                               "      v11 = iota(): 4x3xf32\n"
                                               "      v12 = add(v10 v11): 4x3xf32\n"
                                               "      v13 = subtract(v12 v9): 4x3xf32\n"
                                               "      return v8 v13\n"
                                               "  return v4\n");
}

TEST_F(PrepareRegionsTest, WhatIsComputedAndTensorConstantsStayOutside) {
  const Value w = argument({2}), count = fixed({}), x = fixed({8});
  const Value table = ops::constant(b_, ir::Literal::of<float>({2}, {1, 2}));
  const Value part = ops::dynamic_slice(b_, x, {ops::scalar(b_, DType::kI32, 5)}, {2});
  plan({repeat(b_, count, {w}, [&](ir::Builder& c, Values v) -> Results {
    return {ops::add(c, ops::multiply(c, v[0], part), table)};
  })[0]});
  EXPECT_EQ(step_after("prepare_regions"), before());
}

TEST_F(PrepareRegionsTest, ALoopThatReadsPartsOfATransposeReadsACopy) {
  const Value w = argument({1, 4}), count = fixed({}), x = fixed({4, 3});
  const Value turned = ops::transpose(b_, x, {1, 0}), start = ops::convert(b_, count, DType::kI32);
  plan({repeat(b_, count, {w}, [&](ir::Builder& c, Values v) -> Results {
    return {ops::add(c, v[0], ops::dynamic_slice(c, turned, {start, start}, {1, 4}))};
  })[0]});
  const std::string after = step_after("prepare_regions");
  const std::size_t loop = after.find(" = while(");
  EXPECT_LT(after.find("= transpose(a2): 3x4xf32\n"), loop) << after;
  EXPECT_LT(after.find("= convert(v0): 3x4xf32\n"), loop) << after;
  EXPECT_EQ(after.find("transpose", loop), std::string::npos) << after;
}

TEST_F(PrepareRegionsTest, ALoopInALoopMakesViewsForItself) {
  const Value w = argument({4}), count = fixed({}), x = fixed({1});
  const Value spread = ops::broadcast_in_dim(b_, ops::reshape(b_, x, {}), {4}, {});
  plan({repeat(b_, count, {w}, [&](ir::Builder& c, Values v) -> Results {
    return repeat(c, count, {v[0]},
                  [&](ir::Builder& d, Values u) -> Results { return {ops::multiply(d, u[0], spread)}; });
  })[0]});
  EXPECT_EQ(step_after("prepare_regions"),
            "  v0 = reshape(a2): f32\n"
            "  v1 = broadcast_in_dim(v0): 4xf32\n"
            "  v2 v3 = while(a1 a0): f32\n"
            "    (r0 r1):\n"
            "      v4 = constant(3): f32\n"
            "      v5 = compare(r0 v4): i1\n"
            "      return v5\n"
            "    (r2 r3):\n"
            "      v6 = constant(1): f32\n"
            "      v7 = add(r2 v6): f32\n"
            "      v8 v9 = while(a1 r3): f32\n"
            "        (r4 r5):\n"
            "          v10 = constant(3): f32\n"
            "          v11 = compare(r4 v10): i1\n"
            "          return v11\n"
            "        (r6 r7):\n"
            "          v12 = constant(1): f32\n"
            "          v13 = add(r6 v12): f32\n"
            "          v14 = reshape(a2): f32\n"
            "          v15 = broadcast_in_dim(v14): 4xf32\n"
            "          v16 = multiply(r7 v15): 4xf32\n"
            "          return v13 v16\n"
            "      return v7 v9\n"
            "  return v3\n");
}

/// The condition does not depend on the loop: simplify() keeps a loop that is endless or does not run.
TEST_F(PrepareRegionsTest, AValueThatALoopHandsOnIsCaptured) {
  const Value w = argument({4}), go = fixed({}), x = fixed({4});
  const Results out = ops::while_(
      b_, {go, w, x},
      [](ir::Builder& c, Values v) {
        return ops::compare(c, v[0], ops::scalar(c, DType::kF32, 0), ops::ComparisonDirection::kGt);
      },
      [](ir::Builder& c, Values v) -> Results { return {v[0], ops::multiply(c, v[1], v[2]), v[2]}; });
  plan({ops::add(b_, w, out[2])});
  EXPECT_EQ(before(),
            "  v0 v1 v2 = while(a1 a0 a2): f32\n"
            "    (r0 r1 r2):\n"
            "      v3 = constant(0): f32\n"
            "      v4 = compare(r0 v3): i1\n"
            "      return v4\n"
            "    (r3 r4 r5):\n"
            "      v5 = multiply(r4 r5): 4xf32\n"
            "      return r3 v5 r5\n"
            "  v6 = add(a0 v2): 4xf32\n"
            "  return v6\n");
  EXPECT_EQ(step_after("prepare_regions"),
            "  v0 = while(a0): 4xf32\n"
            "    (r0):\n"
            "      v1 = constant(0): f32\n"
            "      v2 = compare(a1 v1): i1\n"
            "      return v2\n"
            "    (r1):\n"
            "      v3 = multiply(r1 a2): 4xf32\n"
            "      return v3\n"
            "  v4 = add(a0 a2): 4xf32\n"
            "  return v4\n");
}

TEST_F(PrepareRegionsTest, TheMaskOfAnActivationThatADotReadsAsksTheActivation) {
  argument({32, 32}), argument({32, 32});
  const Value x = fixed({32, 32});
  const Activation of = activated(ops::matmul(b_, x, x));
  plan({ops::matmul(b_, of.active, x), ops::select(b_, of.mask, x, of.zeros)});
  EXPECT_EQ(before(),
            "  v0 = dot_general(a2 a2): 32x32xf32\n"
            "  v1 = constant(0): f32\n"
            "  v2 = broadcast_in_dim(v1): 32x32xf32\n"
            "  v3 = maximum(v0 v2): 32x32xf32\n"
            "  v4 = compare(v0 v2): 32x32xi1\n"
            "  v5 = dot_general(v3 a2): 32x32xf32\n"
            "  v6 = select(v4 a2 v2): 32x32xf32\n"
            "  return v5 v6\n");
  EXPECT_EQ(step_after("prepare_regions"),
            "  v0 = dot_general(a2 a2): 32x32xf32\n"
            "  v1 = constant(0): f32\n"
            "  v2 = broadcast_in_dim(v1): 32x32xf32\n"
            "  v3 = maximum(v0 v2): 32x32xf32\n"
            "  v4 = compare(v3 v2): 32x32xi1\n"
            "  v5 = dot_general(v3 a2): 32x32xf32\n"
            "  v6 = select(v4 a2 v2): 32x32xf32\n"
            "  return v5 v6\n");
}

TEST_F(PrepareRegionsTest, TheMaskOfAnActivationThatNeedsNoMemoryAsksWhatIsActivated) {
  argument({32, 32}), argument({32, 32});
  const Value x = fixed({32, 32});
  const Activation of = activated(ops::matmul(b_, x, x));
  plan({ops::add(b_, of.active, x), ops::select(b_, of.mask, x, of.zeros)});
  EXPECT_EQ(step_after("prepare_regions"), before());
}

/// The gradient of a normalization: the masked value is multiplied by the tensor from which x is computed.
TEST_F(PrepareRegionsTest, AMaskThatIsReadBesideTheSourceOfWhatIsActivatedAsksThat) {
  argument({32, 32}), argument({32, 32});
  const Value x = fixed({32, 32}), dy = fixed({32, 32});
  const Value product = ops::matmul(b_, x, x);
  const Activation of = activated(ops::multiply(b_, product, ops::full(b_, x.type(), 3)));
  const Value passed = ops::select(b_, of.mask, dy, of.zeros);
  plan({ops::matmul(b_, of.active, x), ops::multiply(b_, passed, ops::negate(b_, product))});
  EXPECT_EQ(step_after("prepare_regions"), before());
}

TEST_F(PrepareRegionsTest, WindowsWithPaddingBecomeWindowsOverAPaddedTensor) {
  argument({16, 16});
  const Value x = fixed({16, 16});
  plan(
      {ops::reduce_window_sum(b_, x, {.dimensions = {4, 4}, .padding_low = {1, 1}, .padding_high = {2, 2}})});
  EXPECT_EQ(before(),
            "  v0 = constant(0): f32\n"
            "  v1 = reduce_window(a1 v0): 16x16xf32\n"
            "    (r0 r1):\n"
            "      v2 = add(r0 r1): f32\n"
            "      return v2\n"
            "  return v1\n");
  EXPECT_EQ(step_after("prepare_regions"),
            "  v0 = constant(0): f32\n"
            "  v1 = pad(a1 v0): 19x19xf32\n"
            "  v2 = reduce_window(v1 v0): 16x16xf32\n"
            "    (r0 r1):\n"
            "      v3 = add(r0 r1): f32\n"
            "      return v3\n"
            "  return v2\n");
}

TEST_F(PrepareRegionsTest, WindowsOfAFewElementsAreCombinedElementByElement) {
  argument({16, 16});
  const Value x = fixed({16, 16});
  plan({ops::reduce_window_sum(b_, x, {.dimensions = {1, 2}, .padding_low = {0, 1}})});
  EXPECT_EQ(step_after("prepare_regions"),
            "  v0 = constant(0): f32\n"
            "  v1 = pad(a1 v0): 16x17xf32\n"
            "  v2 = broadcast_in_dim(v0): 16x16xf32\n"
            "  v3 = slice(v1): 16x16xf32\n"
            "  v4 = add(v2 v3): 16x16xf32\n"
            "  v5 = slice(v1): 16x16xf32\n"
            "  v6 = add(v4 v5): 16x16xf32\n"
            "  return v6\n");
}

using OwnResultsTest = PrepareRegionsTest;

TEST_F(OwnResultsTest, AResultThatIsSomebodyElsesIsCopied) {
  const Value p = argument({4}), q = argument({4});
  argument({4}), argument({4}), argument({2});
  const Value x = fixed({4});
  const Value once = ops::tanh(b_, x), table = ops::constant(b_, ir::Literal::of<float>({2}, {1, 2}));
  plan({q, p, once, once, table, x});
  EXPECT_EQ(step_after("prepare_regions"),
            "  v0 = tanh(a5): 4xf32\n"
            "  v1 = constant(...): 2xf32\n"
            "  return a1 a0 v0 v0 v1 a5\n");
  EXPECT_EQ(step_after("insert_copies"),
            "  v0 = tanh(a5): 4xf32\n"
            "  v1 = constant(...): 2xf32\n"
            "  v2 = convert(a1): 4xf32\n"
            "  v3 = convert(a0): 4xf32\n"
            "  v4 = convert(v0): 4xf32\n"
            "  v5 = convert(v1): 2xf32\n"
            "  v6 = convert(a5): 4xf32\n"
            "  return v2 v3 v0 v4 v5 v6\n");
}

TEST_F(OwnResultsTest, AStateThatStaysAndWhatIsMadeForTheResultAreNot) {
  const Value p = argument({4}), q = argument({4});
  argument({4});
  plan({p, ops::tanh(b_, q), ops::full(b_, q.type(), 2)});
  EXPECT_EQ(step_after("insert_copies"), step_after("prepare_regions"));
}

TEST_F(OwnResultsTest, EachBranchMakesItsResults) {
  const Value w = argument({4}), choice = fixed({}), x = fixed({4});
  argument({4});
  const Value grown = ops::tanh(b_, x);
  const Value positive =
      ops::compare(b_, choice, ops::scalar(b_, DType::kF32, 0), ops::ComparisonDirection::kGt);
  plan(ops::if_(
      b_, positive, [&](ir::Builder&) -> Results { return {w, grown}; },
      [&](ir::Builder& c) -> Results {
        const Value turned = ops::negate(c, w);
        return {turned, turned};
      }));
  EXPECT_EQ(step_after("prepare_regions"),
            "  v0 = tanh(a2): 4xf32\n"
            "  v1 = constant(0): f32\n"
            "  v2 = compare(a1 v1): i1\n"
            "  v3 v4 = if(v2): 4xf32\n"
            "    ():\n"
            "      return a0 v0\n"
            "    ():\n"
            "      v5 = negate(a0): 4xf32\n"
            "      return v5 v5\n"
            "  return v3 v4\n");
  EXPECT_EQ(step_after("insert_copies"),
            "  v0 = tanh(a2): 4xf32\n"
            "  v1 = constant(0): f32\n"
            "  v2 = compare(a1 v1): i1\n"
            "  v3 v4 = if(v2): 4xf32\n"
            "    ():\n"
            "      v5 = convert(a0): 4xf32\n"
            "      v6 = convert(v0): 4xf32\n"
            "      return v5 v6\n"
            "    ():\n"
            "      v7 = negate(a0): 4xf32\n"
            "      v8 = convert(v7): 4xf32\n"
            "      return v7 v8\n"
            "  return v3 v4\n");
}

TEST_F(OwnResultsTest, ALoopMakesWhatChangesPlacesAndLeavesWhatStays) {
  const Value p = argument({4}), q = argument({4}), count = fixed({});
  plan(repeat(b_, count, {p, q}, [](ir::Builder&, Values v) -> Results { return {v[1], v[0]}; }));
  EXPECT_EQ(step_after("prepare_regions"),
            "  v0 v1 v2 = while(a2 a0 a1): f32\n"
            "    (r0 r1 r2):\n"
            "      v3 = constant(3): f32\n"
            "      v4 = compare(r0 v3): i1\n"
            "      return v4\n"
            "    (r3 r4 r5):\n"
            "      v5 = constant(1): f32\n"
            "      v6 = add(r3 v5): f32\n"
            "      return v6 r5 r4\n"
            "  return v1 v2\n");
  EXPECT_EQ(step_after("insert_copies"),
            "  v0 v1 v2 = while(a2 a0 a1): f32\n"
            "    (r0 r1 r2):\n"
            "      v3 = constant(3): f32\n"
            "      v4 = compare(r0 v3): i1\n"
            "      return v4\n"
            "    (r3 r4 r5):\n"
            "      v5 = constant(1): f32\n"
            "      v6 = add(r3 v5): f32\n"
            "      v7 = convert(r5): 4xf32\n"
            "      v8 = convert(r4): 4xf32\n"
            "      return v6 v7 v8\n"
            "  return v1 v2\n");
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
