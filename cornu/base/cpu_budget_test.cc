#include "cornu/base/cpu_budget.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <fstream>
#include <string>
#include <thread>

#include "cornu/base/thread_pool.h"

namespace cornu::inline v0 {
namespace {

class CpuBudgetTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) / ("cpu_budget_" + std::to_string(getpid()));
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  std::optional<double> quota() { return cgroup_cpu_quota(root_ / "membership", root_); }

  std::filesystem::path root_;
};

TEST_F(CpuBudgetTest, NoFilesMeanNoLimit) { EXPECT_EQ(quota(), std::nullopt); }

TEST_F(CpuBudgetTest, Version2ReadsQuotaOverPeriod) {
  write("membership", "0::/user/job\n");
  write("user/job/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(CpuBudgetTest, Version2MaxIsNoLimit) {
  write("membership", "0::/\n");
  write("cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuBudgetTest, ALimitAboveTheGroupHolds) {
  write("membership", "0::/user/job\n");
  write("user/cpu.max", "200000 100000\n");
  write("user/job/cpu.max", "800000 100000\n");
  EXPECT_EQ(quota(), 2.0);
}

TEST_F(CpuBudgetTest, AGroupThatIsNotMountedFallsBackToTheRoot) {
  write("membership", "0::/docker/0123456789\n");
  write("cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(CpuBudgetTest, TheSmallestMemoryLimitOnTheWayHolds) {
  write("membership", "0::/user/job\n");
  write("user/memory.max", "1073741824\n");
  write("user/job/memory.max", "max\n");
  EXPECT_EQ(cgroup_memory_limit_bytes(root_ / "membership", root_), 1073741824.0);
}

TEST_F(CpuBudgetTest, Version1ReadsTheCpuController) {
  write("membership", "5:memory:/x\n4:cpu,cpuacct:/job\n0::/\n");
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 3.0);
}

TEST_F(CpuBudgetTest, Version1MinusOneIsNoLimit) {
  write("membership", "4:cpu:/\n");
  write("cpu/cpu.cfs_quota_us", "-1\n");
  write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuBudgetTest, GarbageSetsNoLimit) {
  write("membership", "what\n0:\n0::/a/../..\n");
  write("cpu.max", "many few\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST(AffinityTest, FollowsTheMaskOfTheThread) {
  EXPECT_GE(affinity_num_cpus(), 1);
  EXPECT_GE(default_num_threads(), 1);
  EXPECT_LE(default_num_threads(), affinity_num_cpus());
  int count = 0;
  std::thread([&] {
    cpu_set_t all, one;
    ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &all)) {
        CPU_SET(cpu, &one);
        break;
      }
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    count = affinity_num_cpus();
  }).join();
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace cornu::inline v0
