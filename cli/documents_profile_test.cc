#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cli/bench_fit.h"
#include "cli/workloads.h"
#include "cornu/data/dataset.h"
#include "cornu/tensor/device.h"

// The figures of the question "Why is the CPU faster than the TPU?", from the number of calls.
namespace cornu::inline v0::cli {
namespace {

struct DocumentsProfileTest : testing::Test {
  ~DocumentsProfileTest() override { set_default_client(nullptr); }
};

struct FirstRun {
  runtime::TransferStatistics calls;
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

struct DatasetRun {
  FirstRun first;
  std::vector<double> losses;
};

/// The answer's programs: data sets of rows in memory.
DatasetRun fit_dataset(const std::string& device,
                       const std::function<data::Dataset(const data::Dataset&)>& stages,
                       std::int64_t epochs) {
  const auto client = runtime::make_client(device, default_client_options());
  set_default_client(client);
  set_random_seed(0);
  Workload workload = find_workload("iris_mlp");
  workload.num_rows = 150;
  const WorkloadData data = make_data(workload);
  keras::Model model = workload.make_model();
  keras::CompileOptions options = workload.compile_options();
  options.steps_per_execution = "auto";
  model.compile(options);
  const auto rows = [&](std::int64_t begin, std::int64_t end) {
    return data::Dataset::from_tensor_slices({data.x[0].rows(begin, end), data.y.rows(begin, end)});
  };
  const auto history =
      model.fit(stages(rows(0, 105)),
                {.epochs = epochs, .verbose = 0, .validation_data = {.dataset = rows(105, 150).batch(20)}});
  return {{client->counts(), client->now()}, history["val_loss"]};
}

TEST_F(DocumentsProfileTest, DataSetsOfRowsInMemoryAreKeptAsArraysAre) {
  const std::string tpu = "sim:colab-tpu-node,clock=virtual";
  const auto in_batches = [](const data::Dataset& rows) { return rows.batch(20); };
  const auto shuffled = [](const data::Dataset& rows) { return rows.shuffle(105, {.seed = 1}).batch(20); };
  const auto repeated = [](const data::Dataset& rows) { return rows.repeat(20).batch(20); };
  const DatasetRun epochs = fit_dataset(tpu, in_batches, 20);
  EXPECT_LT(epochs.first.seconds, 3);
  EXPECT_EQ(epochs.first.calls.executions.items, 20 * (6 + 3));
  EXPECT_EQ(epochs.losses, fit_dataset("cpu", in_batches, 20).losses);
  EXPECT_EQ(fit_dataset(tpu, shuffled, 5).losses, fit_dataset("cpu", shuffled, 5).losses);
  const DatasetRun once = fit_dataset(tpu, repeated, 1);
  EXPECT_LT(once.first.calls.executions.bytes, 8 * 4 * (105 + 3) * 20) << "places of rows are sent, not rows";
  EXPECT_EQ(once.losses, fit_dataset("cpu", repeated, 1).losses);
}

TEST_F(DocumentsProfileTest, RowsThatAreTakenOnceAreSent) {
  const auto few = [](const data::Dataset& rows) { return rows.take(40).batch(20); };
  const DatasetRun run = fit_dataset("sim:colab-tpu-node,clock=virtual", few, 1);
  EXPECT_GT(run.first.seconds, 2 * 0.6) << "two passes of rows that are sent";
}

}  // namespace
}  // namespace cornu::inline v0::cli
