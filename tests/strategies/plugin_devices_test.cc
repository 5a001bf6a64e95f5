#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/base/tier_test_support.h"
#include "cornu/data/dataset.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/value/device.h"
#include "tests/strategies/model_parallel_test_support.h"
#include "tests/strategies/sharded_tables_test_support.h"
#include "tests/strategies/training_cases_test_support.h"

// Strategies on several devices of one plug-in, each of which runs a replica: the losses, weights and
// predictions of one device. CORNU_TEST_CASES=all takes all models.
namespace cornu::inline v0::keras {
namespace {

using distribute::get_replica_context;
using distribute::MirroredStrategy;
using distribute::PerReplica;
using distribute::ReduceOp;
using Floats = std::vector<float>;

constexpr int kNumDevices = 8;

class PluginDevicesTest : public backends::pjrt::CpuPluginTest {
 protected:
  void SetUp() override {
    CpuPluginTest::SetUp();
    if (!IsSkipped()) names();
  }
  static const std::shared_ptr<runtime::Client>& eight_devices() {
    static auto& client = *new std::shared_ptr<runtime::Client>(
        runtime::make_client("pjrt:cpu,cpu_device_count=" + std::to_string(kNumDevices)));
    return client;
  }
  static const std::vector<std::string>& names() {
    static const auto& all = *new std::vector<std::string>(add_devices(eight_devices()));
    return all;
  }
  static MirroredStrategy mirrored(int num_replicas) {
    return MirroredStrategy({.devices = {names().begin(), names().begin() + num_replicas}});
  }
};

class PluginTrainingTest : public PluginDevicesTest, public ::testing::WithParamInterface<Case> {};

TEST_P(PluginTrainingTest, EqualsOneDevice) {
  const Case& it = GetParam();
  const Trained expected = run(it, nullptr, 1);
  // Of three replicas the last has four of sixteen rows, and a batch of thirteen leaves it three.
  const std::pair<int, std::int64_t> kinds[] = {{2, 1}, {3, 3}, {4, 3}, {8, 2}};
  for (const auto& [num_replicas, steps_per_execution] : kinds) {
    SCOPED_TRACE(num_replicas);
    const Strategy strategy = mirrored(num_replicas);
    const Trained found = run(it, &strategy, steps_per_execution);
    expect_near(found, expected, it.tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, PluginTrainingTest, ::testing::ValuesIn(few_cases()),
                         [](const auto& param) { return param.param.name; });

TEST_F(PluginDevicesTest, KStepsAreOneCallAndDevicesStayAlike) {
  const Strategy strategy = mirrored(4);
  const Flowers data(80);
  auto [model, calls] = expect_one_call_an_execution(strategy, *eight_devices(), data);
  const std::string text = model.train_program(data.x, data.class_id, {.batch_size = 16}).explain;
  EXPECT_NE(text.find("4 replicas of 4 rows each run as one program"), std::string::npos) << text;
  EXPECT_NE(text.find("on 4 devices of pjrt:cpu"), std::string::npos) << text;

  for (const Variable& weight : model.weights()) {
    const PerReplica<Tensor> values = strategy.run([&] { return weight.value() * 1.0; });
    for (const Tensor& value : values.values)
      EXPECT_EQ(value.to_vector<float>(), weight.value().to_vector<float>()) << weight.path();
  }
}

TEST_F(PluginDevicesTest, BatchesOfFewerRowsThanReplicasTrainToo) {
  expect_small_batches_alike(mirrored(8), 21, 5);  // the last batch of five has one row
}

TEST_F(PluginDevicesTest, DataSetsAndSingleBatchesAreCutToo) {
  expect_data_sets_alike(mirrored(4), 2, batches_of_16);
}

TEST_F(PluginDevicesTest, AFaultNamesTheRowOfWhateverReplicaHasIt) { expect_fault_is_named(mirrored(3)); }

TEST_F(PluginDevicesTest, WhatTakesWholeBatchesDoesSoOnEachDevice) {
  for (const bool eagerly : {true, false}) expect_whole_batches_alike(mirrored(2), eagerly);
}

void expect_table_alike(const TableModels& make, const std::string& sharding, const OptimizerCase& optimizer,
                        std::initializer_list<Strategy> strategies) {
  const Case it = table_case(make, sharding, optimizer);
  const Trained expected = run(it, nullptr, 1);
  for (const Strategy& strategy : strategies) {
    SCOPED_TRACE(sharding + ", " + optimizer.name);
    expect_near(run(it, &strategy, strategy.num_replicas_in_sync() - 1), expected, it.tolerance);
  }
}

TEST_F(PluginDevicesTest, TablesInPartsTrainAsOnOneDevice) {
  const std::vector<OptimizerCase> optimizers = optimizer_cases();
  expect_table_alike(table_model, "row_wise", optimizers[3], {mirrored(2), mirrored(3)});  // adam
  expect_table_alike(table_model, "column_wise", optimizers[1], {mirrored(4)});
  expect_table_alike(embedding_model, "row_wise", optimizers[2], {mirrored(2)});
  if (is_full_tier()) expect_table_alike(several_tables_model, "table_wise", optimizers[3], {mirrored(3)});
}

TEST_F(PluginDevicesTest, EachDeviceHasItsPartOfTablesAndSlots) {
  const Strategy strategy = mirrored(4);
  const auto scope = strategy.scope();
  const layers::TableConfig table{.vocabulary_size = 1001, .dim = 8, .sharding = "row_wise", .name = "table"};
  const layers::DistributedEmbedding layer({.feature_configs = {{.table = table}}});
  Sequential model({layer, layers::Dense({.units = 1})});
  const optimizers::Adagrad adagrad({.initial_accumulator_value = 0.25});
  model.compile({.optimizer = adagrad, .loss = "mse"});
  const auto ids = Tensor::adopt({8, 2}, std::vector<std::int32_t>(16, 700));
  model.fit(ids, Tensor::adopt({8, 1}, Floats(8, 1.0F)), {.verbose = 0});
  int num_cut = 0;
  std::vector<Variable> all = adagrad.variables();
  all.push_back(layer.weight("table"));
  for (const Variable& variable : all) {
    if (variable.shape() != layer.weight("table").shape()) continue;
    const cornu::detail::VariableParts* const parts = cornu::detail::parts_of(variable);
    ASSERT_NE(parts, nullptr) << variable.path();
    ASSERT_EQ(parts->here.size(), 1U);
    EXPECT_EQ(parts->here[0].shape(), (Dims{251, 8}));  // ceil(1001 / 4)
    ++num_cut;
  }
  EXPECT_EQ(num_cut, 2);
  for (const Variable& slot : adagrad.variables()) {
    if (slot.shape() != layer.weight("table").shape()) continue;
    const Floats values = slot.value().to_vector<float>();
    EXPECT_EQ(values[0], 0.25F);
    EXPECT_GT(values[700 * 8], 0.25F);
    EXPECT_EQ(values[699 * 8], 0.25F);
  }
  const std::string text =
      model.train_program(ids, Tensor::adopt({8, 1}, Floats(8, 1.0F)), {.batch_size = 8}).explain;
  EXPECT_NE(text.find("in parts over 4 devices"), std::string::npos) << text;
}

TEST_F(PluginDevicesTest, TablesInPartsAreReadSetSavedAndRestoredWhole) {
  expect_weights_are_whole(mirrored(3));
  expect_functions_see_wholes_and_parts(mirrored(3));
  expect_small_and_eager_steps_alike(mirrored(3));
  const std::vector<Strategy> others = {mirrored(1), mirrored(4)};
  expect_files_restore(mirrored(2), others, "plugin_tables");
  expect_backups_resume(mirrored(4), mirrored(2), "plugin_tables_backup");
}

TEST_F(PluginDevicesTest, WeightsWithLayoutsTrainAsOnOneDevice) {
  for (const Case& it : few_cases()) {
    SCOPED_TRACE(it.name);
    const Trained expected = run(it, nullptr, 1);
    const distribution::DeviceMesh mesh({4}, {"model"}, {names().begin(), names().begin() + 4});
    const distribution::ModelParallel strategy(layouts_of_all(it, mesh));
    const Trained found = run(it, &strategy, 3);
    expect_near(found, expected, it.tolerance);
    EXPECT_GE(num_in_parts(found.weights), 2U);
  }
}

TEST_F(PluginDevicesTest, OtherDevicesCannotUseTablesInParts) {
  const Strategy strategy = mirrored(2);
  const Sequential model = trained_table_model(strategy, Flowers(16));
  const Variable table = model.weights()[0];
  const auto total = function([&] { return ops::sum(table.value()); });
  expect_contains(error_of([&] { total(); }), ErrorCode::kFailedPrecondition,
                  {table.path(), "in parts on", "in the scope of the strategy"});
  const auto scope = strategy.scope();
  EXPECT_NEAR(total().item<float>(), ops::sum(Tensor(table.read())).item<float>(), 1e-4);
}

Tensor row(Floats values) {
  const auto n = static_cast<std::int64_t>(values.size());
  return Tensor::adopt({n}, std::move(values));
}

TEST_F(PluginDevicesTest, RunGivesAndTakesValuesOfEachReplica) {
  const Strategy strategy = mirrored(4);
  struct Seen {
    Tensor id, sum, mean, all, is_odd, doubled;
  };
  const PerReplica<Tensor> values{{row({1, 2}), row({3, 4}), row({5, 6}), row({7, 8})}};
  const auto seen = strategy.run(
      [](const Tensor& x) {
        const auto context = get_replica_context();
        const Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
        return Seen{id,
                    context.all_reduce(ReduceOp::kSum, id),
                    context.all_reduce(ReduceOp::kMean, id),
                    context.all_gather(ops::reshape(id, {1}), 0),
                    ops::equal(ops::mod(id, 2.0), 1.0),
                    x * 2.0};
      },
      values);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto number = static_cast<float>(i);
    EXPECT_EQ(seen.values[i].id.item<float>(), number);
    EXPECT_EQ(seen.values[i].sum.item<float>(), 6.0F);
    EXPECT_EQ(seen.values[i].mean.item<float>(), 1.5F);
    EXPECT_EQ(seen.values[i].all.to_vector<float>(), (Floats{0, 1, 2, 3}));
    EXPECT_EQ(seen.values[i].is_odd.item<bool>(), i % 2 == 1);
    EXPECT_EQ(seen.values[i].doubled.to_vector<float>(), (Floats{4 * number + 2, 4 * number + 4}));
    EXPECT_EQ(seen.values[i].sum.device(), names()[0]);
  }
  const PerReplica<Tensor> sums{
      {seen.values[0].doubled, seen.values[1].doubled, seen.values[2].doubled, seen.values[3].doubled}};
  EXPECT_EQ(strategy.reduce(ReduceOp::kSum, sums).to_vector<float>(), (Floats{32, 40}));
}

TEST_F(PluginDevicesTest, RunInALoopInsideAFunctionIsOneProgram) {
  const Strategy strategy = mirrored(2);
  std::optional<Strategy::Scope> scope(strategy);
  const Variable total(Tensor(0.0F), {.name = "total", .aggregation = VariableAggregation::kSum});
  scope.reset();
  const auto steps = function([&](const Tensor& count, const Tensor& a, const Tensor& b) {
    fori_loop(0, count, [&](const Tensor&) {
      strategy.run([&](const Tensor& x) { total.assign_add(ops::sum(x)); }, PerReplica<Tensor>{{a, b}});
    });
  });
  const auto count = [](int n) { return Tensor(n).strong_scalar(DType::kI32); };
  steps(count(3), row({1, 2}), row({3, 4}));
  EXPECT_EQ(total.value().item<float>(), 30.0F);
  const runtime::TransferStatistics before = eight_devices()->counts();
  steps(count(5), row({1, 2}), row({3, 4}));
  EXPECT_EQ(eight_devices()->counts().since(before).executions.calls, 1);
  EXPECT_EQ(total.value().item<float>(), 80.0F);
  EXPECT_EQ(steps.trace_count(), 1);
}

TEST_F(PluginDevicesTest, ErrorsSayWhatAndWhere) {
  const auto made = [](std::vector<std::string> devices, std::int64_t shards = 0) {
    return error_of([&] { MirroredStrategy strategy({.devices = devices, .shards = shards}); });
  };
  expect_contains(made({"XLA_CPU:0", "XLA_CPU:1", "/device:XLA_CPU:0"}), ErrorCode::kInvalidArgument,
                  {"[MirroredStrategy]", "/device:XLA_CPU:0", "twice"});
  expect_contains(made({"CPU:0", "XLA_CPU:0"}), ErrorCode::kInvalidArgument,
                  {"[MirroredStrategy]", "of one kind", "a CPU and a XLA_CPU"});
  expect_contains(made({"XLA_CPU:0", "XLA_CPU:99"}), ErrorCode::kNotFound, {"XLA_CPU:99"});
  expect_contains(made({"XLA_CPU:0", "XLA_CPU:1"}, 4), ErrorCode::kUnimplemented,
                  {"[MirroredStrategy]", "shards", "2 devices"});
  const Strategy strategy = mirrored(2);
  const Variable outside(Tensor(1.0F), {.name = "outside"});
  expect_contains(error_of([&] { strategy.run([&] { return outside * 2.0; }); }),
                  ErrorCode::kFailedPrecondition,
                  {"[MirroredStrategy.run]", "\"outside\"", "outside the strategy's scope"});
  expect_contains(error_of([&] {
                    strategy.run([] {
                      const auto context = get_replica_context();
                      const Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
                      return cond(
                          ops::greater(id, 0.5),
                          [&] { return context.all_reduce(ReduceOp::kSum, Tensor(2.0F)); },
                          [] { return Tensor(0.0F); });
                    });
                  }),
                  ErrorCode::kInvalidArgument, {"replicas meet inside", "let all decide alike"});
  std::optional<Strategy::Scope> scope(strategy);
  const Variable apart(Tensor(0.0F), {.name = "apart"});
  scope.reset();
  expect_contains(error_of([&] {
                    strategy.run([&] {
                      apart.assign(ops::cast(get_replica_context().replica_id_in_sync_group(), DType::kF32));
                    });
                  }),
                  ErrorCode::kInvalidArgument, {"replicas assign different values", "\"apart\""});
}

TEST_F(PluginDevicesTest, RemovedDevicesAreGone) {
  const std::size_t num_before = list_logical_devices("XLA_CPU").size();
  const auto client = runtime::make_client("pjrt:cpu,cpu_device_count=2");
  const std::vector<std::string> devices = add_devices(client);
  ASSERT_EQ(devices.size(), 2U);
  expect_contains(error_of([&] { MirroredStrategy strategy({.devices = {names()[0], devices[0]}}); }),
                  ErrorCode::kInvalidArgument, {"[MirroredStrategy]", "belong to one client"});
  const MirroredStrategy strategy({.devices = devices});
  EXPECT_EQ(strategy.run([] { return Tensor(1.0F) + 0.0F; }).values[1].item<float>(), 1.0F);
  EXPECT_EQ(list_logical_devices("XLA_CPU").size(), num_before + 2) << "no list has a group";
  remove_devices(client);
  expect_contains(error_of([&] { strategy.run([] { return Tensor(1.0F) + 0.0F; }); }), ErrorCode::kNotFound,
                  {"have been removed", "make the strategy again"});
  EXPECT_EQ(list_logical_devices("XLA_CPU").size(), num_before);
}

}  // namespace
}  // namespace cornu::inline v0::keras
