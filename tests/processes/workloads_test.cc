#include <gtest/gtest.h>

#include "tests/strategies/workload_losses_test_support.h"

// The networks that `cornu bench` measures, trained by several processes: to the bits that one process gets
// for the same shards, with sums that go beside other work (cifar) and tables that go by rows (imdb).
namespace cornu::inline v0::cli {
namespace {

class ProcessWorkloadsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ProcessWorkloadsTest, TenStepsHaveTheBitsOfOneProcess) {
  const Workload& workload = find_workload(GetParam());
  const WorkloadData data = make_data(workload);
  const distribute::MirroredStrategy one({.devices = distribute::first_devices(1), .shards = 4});
  const TenSteps expected = train_ten_steps(workload, data, &one);
  set_random_seed(1);
  const distribute::MultiWorkerMirroredStrategy several(
      {.devices = distribute::first_devices(1), .shards = 4});
  const TenSteps found = train_ten_steps(workload, data, &several);
  EXPECT_EQ(found.losses, expected.losses);
  EXPECT_EQ(found.fingerprint, expected.fingerprint);
}

INSTANTIATE_TEST_SUITE_P(Workloads, ProcessWorkloadsTest,
                         ::testing::Values("imdb_bilstm", "cifar_2m_b32", "cifar_10m_b32", "resnet20"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace cornu::inline v0::cli
