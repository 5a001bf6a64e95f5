#include "cornu/backends/cpu/plan/plan_text_test_support.h"

// Tests of asynchronous sums over processes: their splitting by bucket_gradients(), their start after
// split_async_collectives(), and the groups that wait for them.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Value;

class ExchangesTest : public PlanText {
 protected:
  static std::vector<Value> summed(std::vector<Value> values, ir::Builder& b) {
    return ops::all_reduce(
        b, std::move(values), ops::all_replicas(2),
        [](ir::Builder& c, std::span<const Value> v) { return std::vector<Value>{ops::add(c, v[0], v[1])}; });
  }
  std::vector<Value> summed(std::vector<Value> values) { return summed(std::move(values), b_); }
};

TEST_F(ExchangesTest, ASumOfManyTensorsBecomesOneOfEachLargeTensorInTheOrderInWhichTheyAreMade) {
  const Value p = argument({512, 512}), q = argument({1024, 512});
  const Value x = fixed({512, 512}), y = fixed({1024, 512});
  const Value first = ops::matmul(b_, x, x), second = ops::matmul(b_, y, x);
  const std::vector<Value> sums = summed({second, first});
  plan({ops::subtract(b_, p, sums[1]), ops::subtract(b_, q, sums[0])});
  EXPECT_EQ(step_after("compact_sparse_tables"),
            "  v0 = dot_general(a2 a2): 512x512xf32\n"
            "  v1 = dot_general(a3 a2): 1024x512xf32\n"
            "  v2 v3 = all_reduce(v1 v0): 1024x512xf32\n"
            "    (r0 r1):\n"
            "      v4 = add(r0 r1): f32\n"
            "      return v4\n"
            "  v5 = subtract(a0 v3): 512x512xf32\n"
            "  v6 = subtract(a1 v2): 1024x512xf32\n"
            "  return v5 v6\n");
  EXPECT_EQ(step_after("bucket_gradients"),
            "  v0 = dot_general(a2 a2): 512x512xf32\n"
            "  v1 = dot_general(a3 a2): 1024x512xf32\n"
            "  v2 = all_reduce(v0): 512x512xf32\n"
            "    (r0 r1):\n"
            "      v3 = add(r0 r1): f32\n"
            "      return v3\n"
            "  v4 = all_reduce(v1): 1024x512xf32\n"
            "    (r2 r3):\n"
            "      v5 = add(r2 r3): f32\n"
            "      return v5\n"
            "  v6 = subtract(a0 v2): 512x512xf32\n"
            "  v7 = subtract(a1 v4): 1024x512xf32\n"
            "  return v6 v7\n");
}

/// Tensors below a mebibyte are combined with those made next; arguments are available from the start.
TEST_F(ExchangesTest, SmallTensorsAreSentWithThoseThatAreMadeAfterThem) {
  const Value p = argument({512, 512}), q = argument({512, 512}), bias = argument({512});
  const Value x = fixed({512, 512}), there = fixed({512});
  const Value first = ops::tanh(b_, x), second = ops::negate(b_, x);
  const std::vector<Value> sums = summed({second, first, there});
  plan({ops::subtract(b_, p, sums[1]), ops::subtract(b_, q, sums[0]), ops::subtract(b_, bias, sums[2])});
  EXPECT_EQ(step_after("bucket_gradients"),
            "  v0 = tanh(a3): 512x512xf32\n"
            "  v1 = negate(a3): 512x512xf32\n"
            "  v2 v3 = all_reduce(a4 v0): 512xf32\n"
            "    (r0 r1):\n"
            "      v4 = add(r0 r1): f32\n"
            "      return v4\n"
            "  v5 = all_reduce(v1): 512x512xf32\n"
            "    (r2 r3):\n"
            "      v6 = add(r2 r3): f32\n"
            "      return v6\n"
            "  v7 = subtract(a0 v3): 512x512xf32\n"
            "  v8 = subtract(a1 v5): 512x512xf32\n"
            "  v9 = subtract(a2 v2): 512xf32\n"
            "  return v7 v8 v9\n");
}

TEST_F(ExchangesTest, ASumOfAMebibyteOrLessIsNotCut) {
  const Value p = argument({256, 512}), q = argument({256, 512}), x = fixed({256, 512});
  const std::vector<Value> sums = summed({ops::tanh(b_, x), ops::negate(b_, x)});
  plan({ops::subtract(b_, p, sums[0]), ops::subtract(b_, q, sums[1])});
  EXPECT_EQ(step_after("bucket_gradients"), step_after("compact_sparse_tables"));
}

TEST_F(ExchangesTest, TheGradientThatIsMadeFirstIsSentWhileTheNextIsComputed) {
  const Value first = argument({512, 512}), second = argument({512, 512}), bias = argument({512});
  const Value x = fixed({512, 512}), dy = fixed({512, 512});
  const Value of_second = ops::matmul(b_, x, dy);
  const Value of_first = ops::matmul(b_, x, ops::matmul(b_, dy, second));
  const Value of_bias = ops::reduce_sum(b_, dy, {0});
  const std::vector<Value> sums = summed({of_bias, of_first, of_second});
  plan({ops::subtract(b_, first, sums[1]), ops::subtract(b_, second, sums[2]),
        ops::subtract(b_, bias, sums[0])});
  EXPECT_EQ(groups_after("order"),
            "  dot [512x512]: (b3 b4) -> b5: dot_general\n"
            "  kernel [512x512]: (b5) -> b5: all_reduce\n"
            "  dot [512x512]: (b4 b1) -> b6: dot_general\n"
            "  dot [512x512]: (b3 b6) -> b7: dot_general\n"
            "  kernel [512x512]: (b7) -> b7: all_reduce\n"
            "  reduce [512x512]: (b4) -> b8: reduce\n"
            "  kernel [512]: (b8) -> b8: all_reduce\n"
            "  loop [512x512]: (b0 b7) -> b0: subtract\n"
            "  loop [512x512]: (b1 b5) -> b1: subtract\n"
            "  loop [512]: (b2 b8) -> b2: subtract\n");
  EXPECT_EQ(groups_after("split_async_collectives"),
            "  dot [512x512]: (b3 b4) -> b5: dot_general\n"
            "  kernel [512x512] begins: (b5) -> b5: all_reduce\n"
            "  dot [512x512]: (b4 b1) -> b6: dot_general\n"
            "  dot [512x512]: (b3 b6) -> b7: dot_general\n"
            "  kernel [512x512] begins: (b7) -> b7: all_reduce\n"
            "  reduce [512x512]: (b4) -> b8: reduce\n"
            "  kernel [512]: (b8) -> b8: all_reduce\n"
            "  kernel [512x512] ends: () -> b7: all_reduce\n"
            "  loop [512x512]: (b0 b7) -> b0: subtract\n"
            "  kernel [512x512] ends: () -> b5: all_reduce\n"
            "  loop [512x512]: (b1 b5) -> b1: subtract\n"
            "  loop [512]: (b2 b8) -> b2: subtract\n");
}

TEST_F(ExchangesTest, WithNothingToDoBesideASumStaysWhole) {
  const Value w = argument({512, 512});
  const Value x = fixed({512, 512}), dy = fixed({512, 512});
  plan({ops::subtract(b_, w, summed({ops::matmul(b_, x, dy)})[0])});
  EXPECT_EQ(groups_after("split_async_collectives"),
            "  dot [512x512]: (b1 b2) -> b3: dot_general\n"
            "  kernel [512x512]: (b3) -> b3: all_reduce\n"
            "  loop [512x512]: (b0 b3) -> b0: subtract\n");
}

TEST_F(ExchangesTest, SmallSumsStayWhole) {
  const Value w = argument({64, 64}), v = argument({64});
  const Value x = fixed({64, 64}), dy = fixed({64, 64});
  const Value sum = summed({ops::matmul(b_, x, dy)})[0];
  plan({ops::subtract(b_, w, sum), ops::tanh(b_, v)});
  EXPECT_EQ(groups_after("split_async_collectives").find("begins"), std::string::npos)
      << groups_after("split_async_collectives");
}

/// A sum overwrites its operand in place, so all readers of the old values come first.
TEST_F(ExchangesTest, ASumWaitsForThoseWhoReadWhatItReplaces) {
  const Value w = argument({512, 512});
  argument({512, 512});
  const Value x = fixed({512, 512}), dy = fixed({512, 512});
  const Value product = ops::matmul(b_, x, dy);
  const Value reader = ops::matmul(b_, product, x);
  plan({ops::subtract(b_, w, summed({product})[0]), reader});
  EXPECT_EQ(groups_after("split_async_collectives"),
            "  dot [512x512]: (b2 b3) -> b4: dot_general\n"
            "  dot [512x512]: (b4 b2) -> b1: dot_general\n"
            "  kernel [512x512]: (b4) -> b4: all_reduce\n"
            "  loop [512x512]: (b0 b4) -> b0: subtract\n");
}

TEST_F(ExchangesTest, AResultThatNobodyReadsIsThereAtTheEnd) {
  argument({512, 512});
  const Value v = argument({512, 512});
  const Value x = fixed({512, 512}), dy = fixed({512, 512});
  plan({summed({ops::matmul(b_, x, dy)})[0], ops::matmul(b_, ops::tanh(b_, v), x)});
  EXPECT_EQ(groups_after("split_async_collectives"),
            "  dot [512x512]: (b2 b3) -> b0: dot_general\n"
            "  kernel [512x512] begins: (b0) -> b0: all_reduce\n"
            "  loop [512x512]: (b1) -> b6: tanh\n"
            "  dot [512x512]: (b6 b2) -> b1: dot_general\n"
            "  kernel [512x512] ends: () -> b0: all_reduce\n");
}

TEST_F(ExchangesTest, ASumInALoopGoesOnBesideTheGroupsOfItsBody) {
  const Value w = argument({512, 512}), v = argument({512, 512}), count = fixed({});
  const std::vector<Value> out = ops::while_(
      b_, {count, w, v},
      [](ir::Builder& c, std::span<const Value> u) {
        return ops::compare(c, u[0], ops::scalar(c, ir::DType::kF32, 3), ops::ComparisonDirection::kLt);
      },
      [&](ir::Builder& c, std::span<const Value> u) -> std::vector<Value> {
        const Value sum = summed({ops::matmul(c, u[1], u[1])}, c)[0];
        const Value other = ops::matmul(c, u[2], u[2]);
        return {ops::add(c, u[0], ops::scalar(c, ir::DType::kF32, 1)), ops::subtract(c, sum, other), other};
      });
  plan({out[1], out[2]});
  EXPECT_EQ(groups_after("order"),
            "  while []: (b2 b0 b1) -> b3 b0 b1: while\n"
            "    loop []: (b2) -> b3: copy\n"
            "    loop []: (b3) -> b6: compare\n"
            "    dot [512x512]: (b0) -> b7: dot_general\n"
            "    kernel [512x512]: (b7) -> b7: all_reduce\n"
            "    dot [512x512]: (b1) -> b9: dot_general\n"
            "    loop []: (b3) -> b3: add\n"
            "    loop [512x512]: (b7 b9) -> b0: subtract\n"
            "    loop [512x512]: (b9) -> b1: copy\n");
  EXPECT_EQ(groups_after("split_async_collectives"),
            "  while []: (b2 b0 b1) -> b3 b0 b1: while\n"
            "    loop []: (b2) -> b3: copy\n"
            "    loop []: (b3) -> b6: compare\n"
            "    dot [512x512]: (b0) -> b7: dot_general\n"
            "    kernel [512x512] begins: (b7) -> b7: all_reduce\n"
            "    dot [512x512]: (b1) -> b9: dot_general\n"
            "    loop []: (b3) -> b3: add\n"
            "    kernel [512x512] ends: () -> b7: all_reduce\n"
            "    loop [512x512]: (b7 b9) -> b0: subtract\n"
            "    loop [512x512]: (b9) -> b1: copy\n");
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
