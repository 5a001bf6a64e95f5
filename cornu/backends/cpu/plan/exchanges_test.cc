#include "cornu/backends/cpu/plan/plan_text_test_support.h"

// Sums over processes that go on while other groups run: when they begin, and who waits for them.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Value;

class ExchangesTest : public PlanText {
 protected:
  std::vector<Value> summed(std::vector<Value> values) {
    return ops::all_reduce(
        b_, std::move(values), ops::all_replicas(2),
        [](ir::Builder& c, std::span<const Value> v) { return std::vector<Value>{ops::add(c, v[0], v[1])}; });
  }
};

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
  EXPECT_EQ(groups_after("order"),
            "  dot [512x512]: (b1 b2) -> b3: dot_general\n"
            "  kernel [512x512]: (b3) -> b3: all_reduce\n"
            "  loop [512x512]: (b0 b3) -> b0: subtract\n");
}

TEST_F(ExchangesTest, SmallSumsStayWhole) {
  const Value w = argument({64, 64}), v = argument({64});
  const Value x = fixed({64, 64}), dy = fixed({64, 64});
  const Value sum = summed({ops::matmul(b_, x, dy)})[0];
  plan({ops::subtract(b_, w, sum), ops::tanh(b_, v)});
  EXPECT_EQ(groups_after("order").find("begins"), std::string::npos) << groups_after("order");
}

/// What is sent is written over where it lies, so all who read the old values come first.
TEST_F(ExchangesTest, ASumWaitsForThoseWhoReadWhatItReplaces) {
  const Value w = argument({512, 512});
  argument({512, 512});
  const Value x = fixed({512, 512}), dy = fixed({512, 512});
  const Value product = ops::matmul(b_, x, dy);
  const Value reader = ops::matmul(b_, product, x);
  plan({ops::subtract(b_, w, summed({product})[0]), reader});
  EXPECT_EQ(groups_after("order"),
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
  EXPECT_EQ(groups_after("order"),
            "  dot [512x512]: (b2 b3) -> b0: dot_general\n"
            "  kernel [512x512] begins: (b0) -> b0: all_reduce\n"
            "  loop [512x512]: (b1) -> b6: tanh\n"
            "  dot [512x512]: (b6 b2) -> b1: dot_general\n"
            "  kernel [512x512] ends: () -> b0: all_reduce\n");
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
