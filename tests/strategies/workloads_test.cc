#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/strategies/workload_losses_test_support.h"

// The networks that `cornu bench` measures, on replicas: ten losses as on one device.
// CORNU_TEST_STRATEGY_DEVICES names a client whose devices they run on, as "pjrt:cpu,cpu_device_count=8";
// without it on logical CPUs.
namespace cornu::inline v0::cli {
namespace {

/// Relative. A plug-in rounds products of other shapes in other ways, and each update doubles what that is
/// off by, as between Keras's backends.
double gate(std::size_t step) {
  const bool on_plugin = std::getenv("CORNU_TEST_STRATEGY_DEVICES") != nullptr;
  return on_plugin ? 1e-5 * std::pow(2.0, static_cast<double>(step)) : 2e-5;
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
  const std::vector<double> expected = train_ten_steps(workload, data, &one).losses;
  for (const int num_replicas : devices().counts) {
    const Strategy strategy = distribute::MirroredStrategy(
        {.devices = {devices().names.begin(), devices().names.begin() + num_replicas}});
    const std::vector<double> found = train_ten_steps(workload, data, &strategy).losses;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double error = std::abs(found[i] / expected[i] - 1);
      EXPECT_LT(error, gate(i)) << num_replicas << " replicas, step " << i;
      if (std::getenv("CORNU_TEST_PRINT_GATE") != nullptr)
        std::printf("%s on %d devices, step %zu: %.1e\n", GetParam(), num_replicas, i, error);
    }
  }
}

/// Networks in which rounding grows by single events, as a relu whose argument changes its sign:
/// the gate is what weights do that are off by one unit in the last place behind the first step,
/// on one device (docs/adr/0093).
class AmplifyingWorkloadsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(AmplifyingWorkloadsTest, LossesLeaveThoseOfOneDeviceNoFurtherThanOneUnitInTheLastPlaceDoes) {
  constexpr double kMargin = 4;  // over the farthest of five ways to move the weights, so far
  const Strategy one = distribute::OneDeviceStrategy(devices().names.at(0));
  const Workload& workload = find_workload(GetParam());
  const WorkloadData data = make_data(workload);
  const std::vector<double> expected = train_ten_steps(workload, data, &one).losses;
  std::vector<double> farthest(expected.size());
  for (std::uint64_t nudge = 1; nudge <= 5; ++nudge) {
    const std::vector<double> moved = train_ten_steps(workload, data, &one, nudge * 7919).losses;
    double so_far = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      so_far = std::max(so_far, std::abs(moved[i] / expected[i] - 1));
      farthest[i] = std::max(farthest[i], so_far);
    }
  }
  for (const int num_replicas : devices().counts) {
    const Strategy strategy = distribute::MirroredStrategy(
        {.devices = {devices().names.begin(), devices().names.begin() + num_replicas}});
    const std::vector<double> found = train_ten_steps(workload, data, &strategy).losses;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double error = std::abs(found[i] / expected[i] - 1);
      EXPECT_LT(error, std::max(gate(i), kMargin * farthest[i])) << num_replicas << " replicas, step " << i;
      if (std::getenv("CORNU_TEST_PRINT_GATE") != nullptr)
        std::printf("%s on %d devices, step %zu: %.1e, one unit in the last place: %.1e\n", GetParam(),
                    num_replicas, i, error, farthest[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, AmplifyingWorkloadsTest,
                         ::testing::Values("cifar_2m_b32", "cifar_10m_b32"),
                         [](const auto& param) { return std::string(param.param); });

/// Each replica normalizes by its own rows, which is not what one device does;
/// a shard does so by whatever replica.
TEST(NormalizedWorkloadsTest, ANetworkThatNormalizesBatchesHasTheBitsOfItsShards) {
  if (std::getenv("CORNU_TEST_STRATEGY_DEVICES") != nullptr) GTEST_SKIP() << "on logical CPUs only";
  const Workload& workload = find_workload("resnet20");
  const WorkloadData data = make_data(workload);
  const distribute::MirroredStrategy one({.devices = distribute::first_devices(1), .shards = 4});
  const TenSteps expected = train_ten_steps(workload, data, &one);
  const distribute::MirroredStrategy two({.devices = distribute::first_devices(2), .shards = 4});
  const TenSteps found = train_ten_steps(workload, data, &two);
  EXPECT_EQ(found.losses, expected.losses);
  EXPECT_EQ(found.fingerprint, expected.fingerprint);
  EXPECT_LT(expected.losses.back(), expected.losses.front());
  const TenSteps alone = train_ten_steps(workload, data, nullptr);
  EXPECT_NEAR(found.losses[0], alone.losses[0], 0.5) << "shards of few rows";
}

INSTANTIATE_TEST_SUITE_P(Workloads, WorkloadsTest,
                         ::testing::Values("iris_mlp", "mnist_mlp", "mnist_cnn", "cifar10_cnn",
                                           "mnist_tpu_cnn", "imdb_fasttext", "imdb_bilstm", "lstm_textgen"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace cornu::inline v0::cli
