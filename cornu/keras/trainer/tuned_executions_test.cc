#include "cornu/keras/trainer/tuned_executions.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "cornu/runtime/fake_device_test_support.h"

namespace cornu::inline v0::keras {
namespace {

/// A step that does nothing. Preparing it takes as long as the test sets.
class PreparedStep : public StepRunner {
 public:
  explicit PreparedStep(std::shared_ptr<runtime::Client> client)
      : StepRunner({.placement = Placement(std::move(client))}) {}

  std::function<void()> prepare = [] {};
  std::int64_t most_short_steps = 0;  // of executions that a worker takes ahead

  bool is_ready(const Batches&) override { return false; }
  bool is_short(std::int64_t num_steps) const override { return num_steps <= most_short_steps; }
  void make_ready(const Batches&) override { prepare(); }
  std::int64_t run(const Batches& batches, runtime::Progress&) override { return batches.num_steps; }
  const std::vector<LogSource>& logs() const override { return logs_; }
  std::optional<StepFault> fault() const override { return std::nullopt; }

 private:
  std::vector<LogSource> logs_;
};

struct TunedExecutionsTest : ::testing::Test {
  const std::shared_ptr<runtime::FakeClient> device = std::make_shared<runtime::FakeClient>();
  const DataAdapter data_adapter{nullptr, nullptr};
  const std::atomic<bool> interrupted{false};
  StepCache programs{data_adapter, interrupted};
  PreparedStep step{device};
  ExecutionTuner tuner{0};

  void make_ready_in(TunedExecutions& executions, double seconds) {
    step.prepare = [this, seconds] { device->pass_time(seconds); };
    EXPECT_NEAR(executions.make_ready(programs, step, {.num_steps = 1}), seconds, 1e-9);
  }
};

constexpr std::int64_t kManySteps = 1 << 20;
constexpr double kStepsLeft = 100;
constexpr double kCallSeconds = 3e-3;  // so that the steps left take less than the two seconds of a program

TEST_F(TunedExecutionsTest, AProgramThatIsThereDoesNotSayThatTheNextIsFree) {
  TunedExecutions executions(tuner, step, kManySteps);
  make_ready_in(executions, 2);
  make_ready_in(executions, 1e-6);  // a tail, or another run's first execution
  for (int i = 0; i < 20; ++i) {
    const std::int64_t steps = executions.num_steps();
    executions.begin();
    device->pass_time(kCallSeconds);
    executions.end(steps, kStepsLeft);
  }
  EXPECT_EQ(executions.num_steps(), 1);
}

TEST_F(TunedExecutionsTest, AutoNeedsNoSearchWhereExecutionsAreSubmittedAhead) {
  step.most_short_steps = 50 * 40;
  TunedExecutions executions(tuner, step, kManySteps);
  executions.begin();
  executions.end(1, kManySteps);
  EXPECT_EQ(executions.num_steps(), 32)
      << "a power of two of steps that take a fiftieth of what is submitted ahead";
  EXPECT_TRUE(tuner.is_settled());
}

TEST_F(TunedExecutionsTest, AutoCompilesNoProgramForTheLittleThatACallCosts) {
  step.most_short_steps = 50 * 40;
  TunedExecutions executions(tuner, step, kManySteps);
  make_ready_in(executions, 2);
  executions.begin();
  executions.end(1, kStepsLeft);
  EXPECT_EQ(executions.num_steps(), 1);
}

TEST_F(TunedExecutionsTest, WhatCompilingCostElsewhereDoesNotCountWhereOneProgramServesAll) {
  TunedExecutions on_device(tuner, step, kManySteps);
  make_ready_in(on_device, 2);
  const PreparedStep cpu_step(runtime::make_client("cpu", {.num_threads = 1}));
  const TunedExecutions on_cpu(tuner, cpu_step, kManySteps);
  tuner.set_steps_left(kStepsLeft);
  for (int i = 0; i < 20; ++i) tuner.record(on_cpu.num_steps(), kCallSeconds);
  EXPECT_GT(on_cpu.num_steps(), 1);
}

}  // namespace
}  // namespace cornu::inline v0::keras
