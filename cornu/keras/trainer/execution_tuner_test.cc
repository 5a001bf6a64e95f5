#include "cornu/keras/trainer/execution_tuner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace cornu::inline v0::keras {
namespace {

// Runs `executions` on a machine on which an execution of k steps takes cost(k) seconds.
std::int64_t tune(ExecutionTuner& tuner, int executions, const std::function<double(std::int64_t)>& cost) {
  for (int i = 0; i < executions; ++i) tuner.record(tuner.steps(), cost(tuner.steps()));
  return tuner.steps();
}

TEST(ExecutionTunerTest, AFixedNumberStays) {
  ExecutionTuner tuner(7);
  EXPECT_FALSE(tuner.is_auto());
  EXPECT_EQ(tune(tuner, 100, [](std::int64_t k) { return 1e-6 * static_cast<double>(k); }), 7);
}

TEST(ExecutionTunerTest, GrowsUntilAnExecutionTakesTheTargetTime) {
  ExecutionTuner tuner(0);
  const auto cost = [](std::int64_t k) { return 5e-6 + 2e-6 * static_cast<double>(k); };
  const std::int64_t steps = tune(tuner, 200, cost);
  EXPECT_GE(cost(steps), 0.2);
  EXPECT_LE(cost(steps), 1.0);
}

TEST(ExecutionTunerTest, ASearchThatIsEndedGoesOnOnlyBelowAHigherLimit) {
  ExecutionTuner tuner(0);
  tuner.set_limit(6);
  tuner.settle_at(64);
  EXPECT_TRUE(tuner.is_settled());
  EXPECT_EQ(tuner.steps(), 6);
  tuner.set_limit(6);
  EXPECT_TRUE(tuner.is_settled());
  tuner.set_limit(105);
  EXPECT_FALSE(tuner.is_settled()) << "the limit was what held it";
  ExecutionTuner fixed(3);
  fixed.settle_at(64);
  EXPECT_EQ(fixed.steps(), 3);
}

TEST(ExecutionTunerTest, SlowStepsStayAlone) {
  ExecutionTuner tuner(0);
  EXPECT_EQ(tune(tuner, 20, [](std::int64_t k) { return 3.0 * static_cast<double>(k); }), 1);
}

TEST(ExecutionTunerTest, NeverStaysAtANumberThatMeasuresSlower) {
  // Beyond 100 steps an execution spoils the cache: twice the time a step.
  ExecutionTuner tuner(0);
  const auto cost = [](std::int64_t k) { return (k > 100 ? 4e-5 : 2e-5) * static_cast<double>(k) + 1e-5; };
  const std::int64_t steps = tune(tuner, 200, cost);
  EXPECT_LE(steps, 100);
  EXPECT_GT(steps, 1);
}

TEST(ExecutionTunerTest, ShrinksWhenAnExecutionTakesTooLong) {
  ExecutionTuner tuner(0);
  double step = 1e-5;
  const auto cost = [&](std::int64_t k) { return step * static_cast<double>(k); };
  tune(tuner, 200, cost);
  step = 1e-3;  // other data: each step a hundred times slower
  EXPECT_LE(cost(tune(tuner, 20, cost)), 1.0);
}

TEST(ExecutionTunerTest, StaysBelowTheLimit) {
  ExecutionTuner tuner(0);
  tuner.set_limit(6);
  EXPECT_EQ(tune(tuner, 200, [](std::int64_t k) { return 2e-6 * static_cast<double>(k) + 3e-6; }), 6);
  tuner.set_limit(4);
  EXPECT_EQ(tuner.steps(), 4);
}

TEST(ExecutionTunerTest, GrowsOnWhenTheLimitThatHeldItIsRaised) {
  const auto cost = [](std::int64_t k) { return 2e-6 * static_cast<double>(k) + 3e-6; };
  ExecutionTuner tuner(0);
  tuner.set_limit(6);
  ASSERT_EQ(tune(tuner, 200, cost), 6);
  tuner.set_limit(6);
  EXPECT_EQ(tune(tuner, 20, cost), 6) << "the same limit, as of the next epoch";
  tuner.set_limit(1 << 20);
  const std::int64_t settled = tune(tuner, 200, cost);
  EXPECT_GE(cost(settled), 0.2);
  tuner.set_limit(5);
  EXPECT_EQ(tune(tuner, 20, cost), 5);
  tuner.set_limit(1 << 20);
  EXPECT_GE(cost(tune(tuner, 200, cost)), 0.2) << "it had a larger number before";
}

TEST(ExecutionTunerTest, ANumberWhoseProgramCannotPayIsNotTried) {
  const auto cost = [](std::int64_t k) { return 3e-4 * static_cast<double>(k) + 3e-3; };
  ExecutionTuner tuner(0);
  tuner.begin_with(ExecutionTuner::kFirstStepsFarAway);
  tuner.note_compile_seconds(1);
  tuner.note_compile_seconds(1e-6);  // of one that was there
  tuner.set_steps_left(100);         // 70 ms at what a step of eight takes
  EXPECT_EQ(tune(tuner, 20, cost), ExecutionTuner::kFirstStepsFarAway);
  tuner.set_steps_left(10000);
  EXPECT_GT(tune(tuner, 20, cost), ExecutionTuner::kFirstStepsFarAway) << "another run has more of them";
}

TEST(ExecutionTunerTest, TailsAreNotMeasured) {
  ExecutionTuner tuner(0);
  const auto cost = [](std::int64_t k) { return 2e-6 * static_cast<double>(k) + 3e-6; };
  tune(tuner, 50, cost);
  const std::int64_t before = tuner.steps();
  for (int i = 0; i < 50; ++i) tuner.record(1, 10.0);
  EXPECT_EQ(tuner.steps(), before);
}

}  // namespace
}  // namespace cornu::inline v0::keras
