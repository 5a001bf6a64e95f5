#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/data/dataset.h"
#include "cornu/distribute/strategy/distributed_dataset.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/value/device.h"
#include "tests/strategies/training_cases_test_support.h"

// Models that the devices of a plug-in train in several processes, one program over all of them: the losses,
// weights and predictions of one device. The plug-in is a made-up one that connects processes
// (tests/pjrt/several_nodes_plugin.cc); each rank runs all of this. CORNU_TEST_CASES=all takes all models.
namespace cornu::inline v0::keras {
namespace {

using distribute::get_replica_context;
using distribute::MultiWorkerMirroredStrategy;
using distribute::PerReplica;
using distribute::ReduceOp;
using Floats = std::vector<float>;

/// Of real hardware, as a client's spec (benchmarks/gpu.sh): then each process has one device.
std::string real_devices() {
  const char* const spec = std::getenv("CORNU_TEST_PROCESS_DEVICES");
  return spec == nullptr ? "" : spec;
}
std::vector<int> numbers_of_devices() {
  return real_devices().empty() ? std::vector<int>{1, 2} : std::vector<int>{1};
}
/// A device of each process, or two.
std::string devices_of_process(int num_devices) {
  if (!real_devices().empty()) return real_devices();
  return num_devices == 1 ? "XLA_CPU:0" : "pjrt:cpu,cpu_device_count=2";
}
MultiWorkerMirroredStrategy on_devices(int num_devices) {
  return MultiWorkerMirroredStrategy({.devices = {devices_of_process(num_devices)}});
}

/// Whether there is something to run on.
bool has_plugin() {
  const char* const plugin = std::getenv("CORNU_TEST_PJRT_CPU");
  return !real_devices().empty() || (plugin != nullptr && std::filesystem::exists(plugin));
}
constexpr const char* kNoPlugin = "the plug-in for CPUs is not there: run this by ctest";

class ProcessPluginTraining : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!has_plugin()) GTEST_SKIP() << kNoPlugin;
  }
};
class ProcessPluginTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_plugin()) GTEST_SKIP() << kNoPlugin;
  }
};

TEST_P(ProcessPluginTraining, EqualsOneDevice) {
  const Case& it = GetParam();
  const Trained expected = run(it, nullptr, 1);
  for (const int num_devices : numbers_of_devices())
    for (const std::int64_t steps_per_execution : {1, 3}) {
      SCOPED_TRACE(num_devices * 10 + steps_per_execution);
      set_random_seed(1);
      const MultiWorkerMirroredStrategy strategy = on_devices(num_devices);
      EXPECT_EQ(strategy.num_replicas_in_sync(), num_devices * strategy.num_workers());
      const Trained found = run(it, &strategy, steps_per_execution);
      expect_near(found, expected, it.tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, ProcessPluginTraining, ::testing::ValuesIn(few_cases()),
                         [](const auto& param) { return param.param.name; });

TEST_F(ProcessPluginTest, KStepsAreOneCallAndAProcessGetsItsOwnRows) {
  const MultiWorkerMirroredStrategy strategy = on_devices(1);
  const std::shared_ptr<runtime::Client> client = [&] {
    const DeviceScope on_device(strategy.devices()[0]);
    return current_placement().client();
  }();
  EXPECT_EQ(client->devices().size(), 1u);
  EXPECT_EQ(client->node().count, strategy.num_workers());
  EXPECT_EQ(client->node().id, strategy.rank());
  const Flowers data(80);
  auto [model, calls] = expect_one_call_an_execution(strategy, *client, data);
  const std::int64_t part = (16 + strategy.num_workers() - 1) / strategy.num_workers();
  // Five steps of rows of four f32 and a label, and at most a loss a step back.
  EXPECT_LE(calls.executions.bytes, 2 * 8 * part * 20 + 2 * 8 * 64);
  const std::string text = model.train_program(data.x, data.class_id, {.batch_size = 16}).explain;
  EXPECT_NE(text.find("and of other processes, 1 here, a replica on each"), std::string::npos) << text;
}

TEST_F(ProcessPluginTest, BatchesOfFewerRowsThanReplicasTrainToo) {
  for (const int num_devices : numbers_of_devices())
    expect_small_batches_alike(on_devices(num_devices), 7, 3);  // the last batch of three has one row
}

TEST_F(ProcessPluginTest, AFaultIsNamedByAll) { expect_fault_is_named(on_devices(1)); }

TEST_F(ProcessPluginTest, WhatTakesWholeBatchesDoesSoOnEachDevice) {
  expect_whole_batches_alike(on_devices(1));
}

TEST_F(ProcessPluginTest, GradientsAsHalves) {
  const Case it = cases()[0];
  const Trained expected = run(it, nullptr, 1);
  set_random_seed(1);
  const MultiWorkerMirroredStrategy strategy(
      {.devices = {devices_of_process(1)}, .gradient_compression = "bf16"});
  expect_near(run(it, &strategy, 1).losses, expected.losses, 2e-2);
}

TEST_F(ProcessPluginTest, RunGivesAndTakesValuesOfTheProcesssReplicas) {
  struct Seen {
    Tensor id, sum, all, doubled;
  };
  for (const int num_devices : numbers_of_devices()) {
    SCOPED_TRACE(num_devices);
    const MultiWorkerMirroredStrategy strategy = on_devices(num_devices);
    const auto n = static_cast<int>(strategy.num_replicas_in_sync());
    PerReplica<Tensor> own;
    for (int i = 0; i < num_devices; ++i)
      own.values.push_back(Tensor::adopt({1}, Floats{static_cast<float>(strategy.rank() * num_devices + i)}));
    const auto seen = strategy.run(
        [](const Tensor& x) {
          const auto context = get_replica_context();
          const Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
          return Seen{id, context.all_reduce(ReduceOp::kSum, id),
                      context.all_gather(ops::reshape(id, {1}), 0), x * 2.0};
        },
        own);
    ASSERT_EQ(seen.values.size(), static_cast<std::size_t>(num_devices));
    Floats ids;
    for (int i = 0; i < n; ++i) ids.push_back(static_cast<float>(i));
    for (int i = 0; i < num_devices; ++i) {
      const Seen& mine = seen.values[static_cast<std::size_t>(i)];
      const auto number = static_cast<float>(strategy.rank() * num_devices + i);
      EXPECT_EQ(mine.id.item<float>(), number);
      EXPECT_EQ(mine.sum.item<float>(), static_cast<float>(n * (n - 1)) / 2);
      EXPECT_EQ(mine.all.to_vector<float>(), ids);
      EXPECT_EQ(mine.doubled.to_vector<float>(), (Floats{2 * number}));
    }
    PerReplica<Tensor> doubled;
    for (const Seen& mine : seen.values) doubled.values.push_back(mine.doubled);
    EXPECT_EQ(strategy.reduce(ReduceOp::kSum, doubled).to_vector<float>(),
              (Floats{static_cast<float>(n * (n - 1))}));
    Floats twice;
    for (const float id : ids) twice.push_back(2 * id);
    EXPECT_EQ(strategy.gather(doubled, 0).to_vector<float>(), twice);
    // The same as a part of a program.
    const auto in_program = function([&](const Tensor& x) {
      const auto each = strategy.run([&](const Tensor& value) { return value * 2.0f; }, x);
      return strategy.reduce(ReduceOp::kSum, each);
    });
    EXPECT_EQ(in_program(Tensor(1.5f)).item<float>(), 3.0f * static_cast<float>(n));
  }
}

TEST_F(ProcessPluginTest, DataSetsAreCut) { expect_data_sets_alike(on_devices(1), "auto", batches_of_16); }

TEST_F(ProcessPluginTest, MistakesAreRefusedByAll) {
  const MultiWorkerMirroredStrategy strategy = on_devices(1);
  if (strategy.num_workers() == 1 || !real_devices().empty())
    GTEST_SKIP() << "one process, or not the plug-in";
  const auto made = [](const distribute::MultiWorkerMirroredStrategyOptions& options) {
    return error_of([&] { const MultiWorkerMirroredStrategy refused(options); });
  };
  expect_contains(made({.devices = {"XLA_CPU:1"}}), ErrorCode::kInvalidArgument,
                  {"numbers its own devices of a plug-in from 0", "XLA_CPU:1"});
  expect_contains(made({.devices = {"pjrt:cpu", "XLA_CPU:0"}}), ErrorCode::kInvalidArgument,
                  {"must be the only entry"});
  expect_contains(made({.devices = {"XLA_CPU:0"}, .shards = 2 * strategy.num_workers()}),
                  ErrorCode::kUnimplemented, {"shards"});
  expect_contains(made({.devices = {strategy.is_chief() ? "CPU:0" : "XLA_CPU:0"}}),
                  ErrorCode::kFailedPrecondition,
                  {"devices of one kind", "rank 0 has CPU", "rank 1 has XLA_CPU"});
  const std::string other =
      strategy.is_chief() ? "pjrt:cpu,cpu_device_count=1" : "pjrt:cpu,cpu_device_count=x";
  expect_contains(made({.devices = {other}}),
                  strategy.is_chief() ? ErrorCode::kUnavailable : ErrorCode::kInvalidArgument,
                  {"cpu_device_count", "number of devices from 1 to 256"});
  expect_different_programs_are_refused(strategy);
}

}  // namespace
}  // namespace cornu::inline v0::keras
