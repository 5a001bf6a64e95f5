/// Strategies on several devices of one worker: cores that it simulates, and devices of a plug-in.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/ops.h"
#include "tests/remote/worker_process.h"
#include "tests/strategies/sharded_tables_test_support.h"

namespace cornu::inline v0 {
namespace {

using distribute::MirroredStrategy;
using distribute::Strategy;
using Floats = std::vector<float>;

/// As CTest says it: "cpu=PATH".
bool has_plugin() {
  const char* const text = std::getenv("CORNU_PJRT_PLUGINS");
  return text != nullptr &&
         std::filesystem::exists(std::string(text).substr(std::string(text).find('=') + 1));
}

/// Losses, an evaluation and predictions of a model with dropout, whose last batches are short.
std::vector<double> trained(const Strategy* strategy, std::int64_t steps_per_execution) {
  keras::clear_session();
  set_random_seed(11);
  Floats x(61 * 3);
  std::vector<std::int32_t> y(61);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1F * static_cast<float>(i * 7 % 19);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[3 * i] > x[3 * i + 1] ? 1 : 0;
  const Tensor features = Tensor::from<float>({61, 3}, x), labels = Tensor::from<std::int32_t>({61}, y);
  std::optional<Strategy::Scope> scope;
  if (strategy != nullptr) scope.emplace(*strategy);
  keras::Sequential model({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                           keras::layers::Dropout({.rate = 0.25}),
                           keras::layers::Dense({.units = 2, .activation = "softmax"})});
  model.compile({.optimizer = "adam",
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"},
                 .steps_per_execution = steps_per_execution,
                 .seed = 5});
  scope.reset();
  // The third pass finds the rows on the worker.
  const auto history = model.fit(features, labels, {.batch_size = 16, .epochs = 4, .verbose = 0});
  std::vector<double> all = history["loss"];
  for (const double accuracy : history["accuracy"]) all.push_back(accuracy);
  all.push_back(model.evaluate(features, labels, {.batch_size = 16, .verbose = 0})["loss"]);
  for (const float p : model.predict(features, {.batch_size = 16, .verbose = 0}).to_vector<float>())
    all.push_back(static_cast<double>(p));
  return all;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  keras::expect_near(found, expected, 2e-5);
}

TEST(WorkerGroupTest, CoresThatAWorkerSimulatesTrainAsOneDevice) {
  const std::vector<double> expected = trained(nullptr, 1);
  const WorkerProcess worker({"--devices", "sim:tpu_8_cores,clock=virtual"});
  const distribute::TPUClusterResolver resolver(worker.address());
  EXPECT_EQ(distribute::initialize_tpu_system(resolver).devices.size(), 8U);
  const distribute::TPUStrategy strategy(resolver);
  EXPECT_EQ(strategy.num_replicas_in_sync(), 8);
  for (const std::int64_t steps : {1, 3}) expect_near(trained(&strategy, steps), expected);
  const auto ids = strategy.run(
      [] { return ops::cast(distribute::get_replica_context().replica_id_in_sync_group(), DType::kF32); });
  EXPECT_EQ(strategy.reduce(distribute::ReduceOp::kSum, ids).item<float>(), 28.0F);
  distribute::shutdown_tpu_system(resolver);
}

TEST(WorkerGroupTest, DevicesOfAWorkersPluginTrainAsOneDevice) {
  if (!has_plugin()) GTEST_SKIP() << "the plug-in for CPUs is not there";
  const std::vector<double> expected = trained(nullptr, 1);
  const WorkerProcess worker({"--devices", "pjrt:cpu,cpu_device_count=4"});
  const std::vector<std::string> names = distribute::connect_to_host(worker.address());
  ASSERT_EQ(names.size(), 4U);
  for (const int count : {2, 3, 4}) {
    SCOPED_TRACE(count);
    const MirroredStrategy strategy({.devices = {names.begin(), names.begin() + count}});
    expect_near(trained(&strategy, count - 1), expected);
    const auto ids = strategy.run([] {
      const auto context = distribute::get_replica_context();
      return context.all_reduce(distribute::ReduceOp::kSum,
                                ops::cast(context.replica_id_in_sync_group(), DType::kF32) + 1.0);
    });
    ASSERT_EQ(ids.values.size(), static_cast<std::size_t>(count));
    for (const Tensor& id : ids.values)
      EXPECT_EQ(id.item<float>(), static_cast<float>(count * (count + 1)) / 2);
  }
  const MirroredStrategy again({.devices = {names[1], names[0]}});
  expect_near(trained(&again, 2), expected);
  distribute::shutdown_tpu_system(distribute::TPUClusterResolver(worker.address()));
}

TEST(WorkerGroupTest, TablesInPartsOnDevicesOfAWorkersPlugin) {
  if (!has_plugin()) GTEST_SKIP() << "the plug-in for CPUs is not there";
  const WorkerProcess worker({"--devices", "pjrt:cpu,cpu_device_count=4"});
  const std::vector<std::string> names = distribute::connect_to_host(worker.address());
  ASSERT_EQ(names.size(), 4U);
  const MirroredStrategy two({.devices = {names.begin(), names.begin() + 2}}),
      three({.devices = {names.begin(), names.begin() + 3}});
  const keras::Case it = keras::table_case(keras::table_model, "row_wise", keras::optimizer_cases()[3]);
  const Strategy strategy = three;
  keras::expect_near(keras::run(it, &strategy, 2), keras::run(it, nullptr, 1), it.tolerance);
  keras::expect_weights_are_whole(three);
  keras::expect_backups_resume(three, two, "worker_plugin_tables");
  // Larger than a message of a reply, and of a length that no piece divides.
  const auto scope = two.scope();
  Floats numbers(900'001 * 2);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 1009);
  const Variable table(Tensor::adopt({900'001, 2}, Floats(numbers)), {.name = "table"});
  cornu::detail::cut(table, 0, "the test");
  EXPECT_EQ(table.value().to_vector<float>(), numbers);
  distribute::shutdown_tpu_system(distribute::TPUClusterResolver(worker.address()));
}

TEST(WorkerGroupTest, TablesAreNotCutOverCoresThatAWorkerSimulates) {
  const WorkerProcess worker({"--devices", "sim:tpu_8_cores,clock=virtual"});
  const distribute::TPUClusterResolver resolver(worker.address());
  distribute::initialize_tpu_system(resolver);
  const distribute::TPUStrategy strategy(resolver);
  {
    const auto scope = strategy.scope();
    keras::Sequential model = keras::table_model("row_wise");
    expect_error_text({"[TPUStrategy]", "cores that a worker simulates", "sharding = \"replicated\""},
                      [&] { model.build({keras::kUnknown, 4}); });
  }
  distribute::shutdown_tpu_system(resolver);
}

TEST(WorkerGroupTest, DevicesThatRunNoProgramTogetherAreRefused) {
  const WorkerProcess worker({"--devices", "sim:ideal,clock=virtual,sim:ideal,clock=virtual"}),
      other({"--devices", "sim:ideal,clock=virtual"});
  const std::vector<std::string> names = distribute::connect_to_host(worker.address()),
                                 others = distribute::connect_to_host(other.address());
  ASSERT_EQ(names.size(), 2U);
  ASSERT_EQ(others.size(), 1U);
  expect_error_text({"devices of several clients"},
                    [&] { MirroredStrategy strategy({.devices = {names[0], names[1]}}); });
  expect_error_text(
      {"devices of several workers run programs together where they are the workers' CPU engines"},
      [&] { MirroredStrategy strategy({.devices = {names[0], others[0]}}); });
  expect_error_text({"given twice"}, [&] { MirroredStrategy strategy({.devices = {names[0], names[0]}}); });
  expect_error_text({"there is no device \"9\""}, [&] { runtime::make_client(worker.url("/0+9")); });
  expect_error_text({"comes twice"}, [&] { runtime::make_client(worker.url("/0+0")); });
}

}  // namespace
}  // namespace cornu::inline v0
