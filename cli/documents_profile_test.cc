#include <gtest/gtest.h>

#include <string>

#include "cli/bench_fit.h"
#include "cli/workloads.h"
#include "cornu/tensor/device.h"

// The figures of the question "Why is the CPU faster than the TPU?", from the number of calls.
namespace cornu::inline v0::cli {
namespace {

struct DocumentsProfileTest : testing::Test {
  ~DocumentsProfileTest() override { set_default_client(nullptr); }
};

struct FirstRun {
  runtime::CallCounts calls;
  double seconds = 0;
};

/// A first run, compiling included, as the question timed it.
FirstRun first_run(const std::string& run_name, const std::string& device) {
  const auto client = runtime::make_client(device + ",clock=virtual", default_client_options());
  set_default_client(client);
  set_random_seed(0);
  make_whole_run(run_name, 1)();
  return {client->counts(), client->now()};
}

constexpr double kTolerance = 0.15;

TEST_F(DocumentsProfileTest, ShortEpochsLongEpochAndCpuTakeWhatTheQuestionSays) {
  const std::string tpu = "sim:colab-tpu-node,rows=sent", process = "sim:colab-tensorflow-cpu";
  const FirstRun short_tpu = first_run("iris_fit_short", tpu), long_tpu = first_run("iris_fit_long", tpu);
  const FirstRun short_cpu = first_run("iris_fit_short", process);
  const FirstRun long_cpu = first_run("iris_fit_long", process);
  for (const FirstRun* run : {&short_tpu, &short_cpu}) {
    EXPECT_EQ(run->calls.executions.calls, 20 * (6 + 3));
    EXPECT_EQ(run->calls.compiles.calls, 2);
  }
  for (const FirstRun* run : {&long_tpu, &long_cpu}) {
    EXPECT_EQ(run->calls.executions.calls, 105 + 3);
    EXPECT_EQ(run->calls.compiles.calls, 2);
  }
  // TensorFlow's own process works as much whatever it calls.
  EXPECT_NEAR(short_tpu.seconds + short_cpu.seconds, 30, 30 * kTolerance);
  EXPECT_NEAR(long_tpu.seconds + long_cpu.seconds, 6, 6 * kTolerance);
  EXPECT_NEAR(short_cpu.seconds, 1.3, 1.3 * kTolerance);
  // Passes make the difference: 40 against 2, at 0.6 s.
  EXPECT_NEAR(short_tpu.seconds - long_tpu.seconds, 38 * 0.6 + 72 * 0.0154, 0.3);
}

TEST_F(DocumentsProfileTest, TheSameProgramByItsOwnWayOfCallingTakesLessThanThreeSeconds) {
  const FirstRun run = first_run("iris_fit_auto", "sim:colab-tpu-node");
  EXPECT_LT(run.seconds, 3);
  EXPECT_EQ(run.calls.compiles.calls, 2) << "one size of program for training, one for validation";
  EXPECT_EQ(run.calls.executions.items, 20 * (6 + 3)) << "no step is left out";
  EXPECT_LE(run.calls.executions.calls, 20 * (2 + 3));
  EXPECT_GT(run.seconds, 2 * 0.94) << "compiling is part of it";
}

TEST_F(DocumentsProfileTest, RowsThatAreKeptCostNothingASecondTime) {
  const FirstRun kept = first_run("iris_fit_short", "sim:colab-tpu-node");
  const FirstRun sent = first_run("iris_fit_short", "sim:colab-tpu-node,rows=sent");
  EXPECT_GT(sent.seconds, kept.seconds + 20);
  EXPECT_LT(kept.calls.executions.bytes, sent.calls.executions.bytes);
}

}  // namespace
}  // namespace cornu::inline v0::cli
