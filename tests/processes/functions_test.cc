#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cornu/base/log_test_support.h"
#include "cornu/data/dataset.h"
#include "cornu/distribute/strategy/distributed_dataset.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "tests/strategies/strategies_test_support.h"

// Functions that the replicas of several processes run together.
namespace cornu::inline v0::distribute {
namespace {

using Floats = std::vector<float>;

constexpr int kDevices = 2;  // of each process

MultiWorkerMirroredStrategy workers(int devices = kDevices) {
  return MultiWorkerMirroredStrategy({.devices = first_devices(devices)});
}

TEST(ProcessRunTest, ReplicasKnowWhoTheyAreAndWhatOthersHave) {
  const auto strategy = workers();
  const auto n = static_cast<int>(strategy.num_replicas_in_sync());
  EXPECT_EQ(n, kDevices * strategy.num_workers());
  struct Seen {
    Tensor id, sum, mean, all;
  };
  const auto seen = strategy.run([] {
    const ReplicaContext context = get_replica_context();
    const Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
    return Seen{id, context.all_reduce(ReduceOp::kSum, id), context.all_reduce(ReduceOp::kMean, id),
                context.all_gather(ops::reshape(id, {1}), 0)};
  });
  ASSERT_EQ(seen.values.size(), static_cast<std::size_t>(kDevices));
  Floats ids;
  for (int i = 0; i < n; ++i) ids.push_back(static_cast<float>(i));
  for (int i = 0; i < kDevices; ++i) {
    const Seen& own = seen.values[static_cast<std::size_t>(i)];
    EXPECT_EQ(own.id.item<float>(), static_cast<float>(strategy.rank() * kDevices + i));
    EXPECT_EQ(own.sum.item<float>(), static_cast<float>(n * (n - 1)) / 2);
    EXPECT_EQ(own.mean.item<float>(), static_cast<float>(n - 1) / 2);
    EXPECT_EQ(own.all.to_vector<float>(), ids);
  }
}

TEST(ProcessRunTest, ReduceAndGatherTakeTheValuesOfAll) {
  const auto strategy = workers();
  const auto n = static_cast<int>(strategy.num_replicas_in_sync());
  const auto ids = strategy.experimental_distribute_values_from_function([](const ValueContext& context) {
    return Tensor(static_cast<float>(context.replica_id_in_sync_group)) + 0.0f;
  });
  EXPECT_EQ(strategy.reduce(ReduceOp::kSum, ids).item<float>(), static_cast<float>(n * (n - 1)) / 2);
  EXPECT_EQ(strategy.reduce(ReduceOp::kMean, ids).item<float>(), static_cast<float>(n - 1) / 2);
  // As many rows as a replica's number, plus one: extents differ from process to process.
  const auto rows = strategy.experimental_distribute_values_from_function([](const ValueContext& context) {
    const auto count = static_cast<std::size_t>(context.replica_id_in_sync_group) + 1;
    return Tensor::adopt({static_cast<std::int64_t>(count)}, Floats(count, static_cast<float>(count)));
  });
  Floats expected;
  for (int i = 1; i <= n; ++i)
    expected.insert(expected.end(), static_cast<std::size_t>(i), static_cast<float>(i));
  EXPECT_EQ(strategy.gather(rows, 0).to_vector<float>(), expected);
  double total = 0;
  for (const float value : expected) total += value;
  EXPECT_NEAR(strategy.reduce(ReduceOp::kMean, rows, 0).item<float>(),
              total / static_cast<double>(expected.size()), 1e-5);
  // The same as a part of a program.
  const auto in_program = function([&](const Tensor& x) {
    const auto each = strategy.run([&](const Tensor& own) { return own * 2.0f; }, x);
    return strategy.reduce(ReduceOp::kSum, each);
  });
  EXPECT_EQ(in_program(Tensor(1.5f)).item<float>(), 3.0f * static_cast<float>(n));
}

TEST(ProcessRunTest, VariablesHoldTheSameEverywhere) {
  const auto strategy = workers();
  Variable total, last;
  {
    const auto scope = strategy.scope();
    total = Variable(0.0f, {.name = "total", .trainable = false, .aggregation = VariableAggregation::kSum});
    last = Variable(0.0f, {.name = "last", .trainable = false});
  }
  strategy.run([&] {
    total.assign_add(ops::cast(get_replica_context().replica_id_in_sync_group(), DType::kF32) + 1.0f);
  });
  const auto n = static_cast<float>(strategy.num_replicas_in_sync());
  EXPECT_EQ(total.value().item<float>(), n * (n + 1) / 2);
  const auto single = workers(1);  // a replica a process: what differs does so between processes only
  {
    const auto scope = single.scope();
    last = Variable(0.0f, {.name = "last", .trainable = false});
  }
  if (single.num_workers() == 1) return;
  const Error error = error_of([&] {
    single.run(
        [&] { last.assign(ops::cast(get_replica_context().replica_id_in_sync_group(), DType::kF32)); });
  });
  expect_contains(error, ErrorCode::kInvalidArgument,
                  {"replicas assign different values to variable \"last\""});
  const Error branch = error_of([&] {
    single.run([&] {
      return cond(
          get_replica_context().replica_id_in_sync_group() < 1,
          [] { return get_replica_context().all_reduce(ReduceOp::kSum, Tensor(1.0f)); },
          [] { return Tensor(0.0f); });
    });
  });
  expect_contains(branch, ErrorCode::kInvalidArgument, {"each decides for itself"});
}

TEST(ProcessRunTest, RandomNumbersDifferFromReplicaToReplica) {
  const auto strategy = workers(1);
  const auto drawn = strategy.run([] { return random::uniform({2}, {.seed = 3}); });
  const Floats all = strategy.gather(drawn, 0).to_vector<float>();
  for (std::size_t i = 2; i < all.size(); ++i) EXPECT_NE(all[i], all[i - 2]);
}

TEST(ProcessRunTest, DataSetsAreCutOverAllReplicas) {
  const auto strategy = workers();
  const auto n = strategy.num_replicas_in_sync();
  const auto dataset = data::Dataset::range(3 * n).batch(n);
  std::int64_t step = 0;
  for (const PerReplica<Components>& batch : strategy.experimental_distribute_dataset(dataset)) {
    ASSERT_EQ(batch.values.size(), static_cast<std::size_t>(kDevices));
    for (int i = 0; i < kDevices; ++i)
      EXPECT_EQ(batch.values[static_cast<std::size_t>(i)][0].to_vector<std::int64_t>(),
                (std::vector<std::int64_t>{step * n + strategy.rank() * kDevices + i}));
    ++step;
  }
  EXPECT_EQ(step, 3);
  const auto own = strategy.distribute_datasets_from_function([&](const InputContext& context) {
    EXPECT_EQ(context.num_input_pipelines, strategy.num_workers());
    EXPECT_EQ(context.input_pipeline_id, strategy.rank());
    EXPECT_EQ(context.num_replicas_in_sync, n);
    return data::Dataset::range(8 * n)
        .shard(context.num_input_pipelines, context.input_pipeline_id)
        .batch(context.get_per_replica_batch_size(2 * n));
  });
  std::int64_t count = 0;
  for (const PerReplica<Components>& batch : own) {
    EXPECT_EQ(batch.values.size(), static_cast<std::size_t>(kDevices));
    ++count;
  }
  EXPECT_EQ(count, 4);
}

TEST(ProcessRunTest, PipelinesThatGiveAllProcessesTheSameRowsAreToldOnce) {
  const auto strategy = workers();
  const auto n = strategy.num_replicas_in_sync();
  const auto sum_of_batches = [&](bool is_sharded) {
    const auto batches = strategy.distribute_datasets_from_function([&](const InputContext& context) {
      const auto rows = data::Dataset::range(8 * n);
      return (is_sharded ? context.shard(rows) : rows)
          .shuffle(8 * n, {.seed = 1})
          .batch(context.get_per_replica_batch_size(2 * n));
    });
    for (const PerReplica<Components>& batch : batches)
      strategy.run(
          [](const Components& own) {
            return get_replica_context().all_reduce(ReduceOp::kSum, ops::cast(own[0], DType::kF32));
          },
          batch);
  };
  CapturedLog log;
  sum_of_batches(true);
  EXPECT_EQ(log.take(), "");
  sum_of_batches(false);
  sum_of_batches(false);
  const std::string said = log.take(), wanted = "context.shard(dataset)";
  if (strategy.num_workers() == 1 || !strategy.is_chief()) {
    EXPECT_EQ(said, "");
    return;
  }
  EXPECT_NE(said.find(wanted), std::string::npos) << said;
  EXPECT_EQ(said.find(wanted), said.rfind(wanted)) << "once: " << said;
}

TEST(ProcessRunTest, BadInputIsRefusedByAll) {
  first_devices(1);
  const auto strategy = workers(1);
  const int count = strategy.num_workers();
  const Error shards =
      error_of([&] { MultiWorkerMirroredStrategy({.devices = first_devices(2), .shards = 2 * count + 1}); });
  expect_contains(shards, ErrorCode::kInvalidArgument,
                  {"MultiWorkerMirroredStrategy", "shards must be a multiple"});
  expect_contains(error_of([&] {
                    MultiWorkerMirroredStrategy({.devices = first_devices(1), .gradient_compression = "f8"});
                  }),
                  ErrorCode::kInvalidArgument, {"gradient_compression", "f8"});
  expect_contains(error_of([] { MultiWorkerMirroredStrategy({.timeout_seconds = -1}); }),
                  ErrorCode::kInvalidArgument, {"timeout_seconds must be positive, or 0", "-1"});
  setenv("CORNU_PROCESSES_TIMEOUT", "soon", 1);
  expect_contains(error_of([] { workers(1); }), ErrorCode::kInvalidArgument,
                  {"CORNU_PROCESSES_TIMEOUT", "soon"});
  unsetenv("CORNU_PROCESSES_TIMEOUT");
  setenv("TF_CONFIG",
         R"({"cluster": {"worker": ["a:1", "b:1", "c:1"]}, "task": {"type": "worker", "index": 0}})", 1);
  expect_contains(error_of([] { workers(1); }), ErrorCode::kFailedPrecondition,
                  {"TF_CONFIG names 3 workers"});
  unsetenv("TF_CONFIG");
  if (count == 1) return;
  const Error devices =
      error_of([&] { MultiWorkerMirroredStrategy({.devices = first_devices(strategy.is_chief() ? 1 : 2)}); });
  expect_contains(devices, ErrorCode::kFailedPrecondition, {"differ in the number of devices"});
  set_random_seed(static_cast<std::uint64_t>(strategy.rank()));
  expect_contains(error_of([] { workers(1); }), ErrorCode::kFailedPrecondition, {"set_random_seed"});
  set_random_seed(1);
}

TEST(ProcessRunTest, WhatFailsOnOneRankIsRefusedByAllAndAllGoOn) {
  const auto before = workers(1);
  if (before.num_workers() == 1) GTEST_SKIP() << "one process";
  const bool is_at_fault = before.rank() == 1;
  using Options = MultiWorkerMirroredStrategyOptions;
  const auto expect_refused = [&](const Options& options, const std::string& fault) {
    const Error error = error_of([&] { const MultiWorkerMirroredStrategy refused(options); });
    EXPECT_NE(std::string(error.what()).find(fault), std::string::npos) << error.what();
    if (!is_at_fault) expect_contains(error, ErrorCode::kFailedPrecondition, {"rank 1 cannot "});
  };
  if (is_at_fault) setenv("TF_CONFIG", "{", 1);
  expect_refused({.devices = first_devices(1)}, "TFConfigClusterResolver");
  unsetenv("TF_CONFIG");
  if (is_at_fault) setenv("CORNU_PROCESSES_TIMEOUT", "soon", 1);
  expect_refused({.devices = first_devices(1)}, "CORNU_PROCESSES_TIMEOUT");
  unsetenv("CORNU_PROCESSES_TIMEOUT");
  expect_refused({.devices = {is_at_fault ? "CPU:99" : "CPU:0"}}, "CPU:99");
  expect_refused({.devices = {"CPU:0", is_at_fault ? "CPU:0" : "CPU:1"}}, "is given twice");
  EXPECT_EQ(workers(1).num_workers(), before.num_workers());
}

}  // namespace
}  // namespace cornu::inline v0::distribute
