#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "cli/workloads.h"
#include "tests/strategies/strategies_test_support.h"

// The networks that `cornu bench` measures, on replicas: ten losses as on one device.
// CORNU_TEST_STRATEGY_DEVICES names a client whose devices they run on, as "pjrt:cpu,cpu_device_count=8";
// without it on logical CPUs.
namespace cornu::inline v0::cli {
namespace {

using distribute::Strategy;

constexpr std::int64_t kNumRows = 13;  // four replicas have 4, 4, 4 and 1
constexpr double kGate = 2e-5;         // relative

Tensor first_rows(const Tensor& x) {
  Dims dims = x.shape();
  dims[0] = kNumRows;
  return ops::slice(x, Dims(dims.size(), 0), dims);
}

/// Each replica normalizes by its own rows, which is not what one device does.
bool normalizes_batches(const keras::Model& model) {
  const std::vector<Variable> weights = model.weights();
  return std::any_of(weights.begin(), weights.end(),
                     [](const Variable& weight) { return weight.path().ends_with("/moving_mean"); });
}

/// Empty for a network that normalizes batches.
std::vector<double> ten_losses(const Workload& workload, const WorkloadData& data, const Strategy* strategy) {
  set_random_seed(3);
  std::optional<Strategy::Scope> scope;
  if (strategy != nullptr) scope.emplace(*strategy);
  keras::Model model = workload.make_model();
  model.compile(workload.compile_options());
  scope.reset();
  std::vector<double> losses;
  for (int step = 0; step < 10; ++step) {
    losses.push_back(model.train_on_batch(first_rows(data.x[0]), first_rows(data.y))["loss"]);
    if (normalizes_batches(model)) return {};
  }
  return losses;
}

/// The names of the devices, and the numbers of replicas.
struct Devices {
  std::vector<std::string> names;
  std::vector<int> counts;
};

const Devices& devices() {
  static const auto& all = *new Devices([] {
    const char* const spec = std::getenv("CORNU_TEST_STRATEGY_DEVICES");
    return spec == nullptr ? Devices{distribute::first_devices(4), {2, 4}}
                           : Devices{connect_devices(spec), {2, 4, 8}};
  }());
  return all;
}

class WorkloadsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(WorkloadsTest, TenLossesAreThoseOfOneDevice) {
  const Strategy one = distribute::OneDeviceStrategy(devices().names.at(0));
  const Workload& workload = find_workload(GetParam());
  const WorkloadData data = make_data(workload);
  const std::vector<double> expected = ten_losses(workload, data, &one);
  if (expected.empty()) GTEST_SKIP() << "it normalizes batches";
  for (const int num_replicas : devices().counts) {
    const Strategy strategy = distribute::MirroredStrategy(
        {.devices = {devices().names.begin(), devices().names.begin() + num_replicas}});
    const std::vector<double> found = ten_losses(workload, data, &strategy);
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      largest = std::max(largest, std::abs(found[i] / expected[i] - 1));
    EXPECT_LT(largest, kGate) << num_replicas << " replicas";
    if (std::getenv("CORNU_TEST_PRINT_GATE") != nullptr)
      std::printf("%s on %d devices: %.1e\n", GetParam(), num_replicas, largest);
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, WorkloadsTest,
                         ::testing::Values("iris_mlp", "mnist_mlp", "mnist_cnn", "cifar10_cnn",
                                           "imdb_fasttext", "imdb_bilstm", "lstm_textgen"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace cornu::inline v0::cli
