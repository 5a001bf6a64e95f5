#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cornu/base/temporary_folder.h"
#include "tests/processes/mpirun_test_support.h"

// What processes and a plug-in tell each other, and how they end: a made-up plug-in that connects processes
// (tests/pjrt/several_nodes_plugin.cc), and the one for CPUs, which does not.
namespace {

class ProcessPluginEndsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(real()))
      GTEST_SKIP() << "the plug-in for CPUs is not there: run this by ctest";
  }

  static std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  }
  static std::string real() { return variable("CORNU_TEST_PJRT_CPU"); }

  /// With the made-up plug-in, whose processes have a fault, unless it is empty.
  Outcome run_nodes(const std::string& options, const std::string& what, const std::string& fault = "",
                    const std::string& name = "cpu") const {
    std::string environment = "CORNU_PJRT_PLUGINS=" + name + "=" + variable("CORNU_TEST_NODES") +
                              " CORNU_TEST_NODE_LOG=" + folder_ + " CORNU_TEST_NODE_FAULT=" + fault;
    if (name != "cpu") environment += " CORNU_TEST_NODE_PLATFORM=" + name;
    return run(options, what, environment);
  }
  std::vector<std::string> log_of(int rank) const {
    std::ifstream file(folder_ + "/" + std::to_string(rank) + ".log");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  bool has(int rank, const std::string& line) const {
    const std::vector<std::string> lines = log_of(rank);
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  }
  /// The longest line that begins so.
  std::string line_of(int rank, const std::string& begin) const {
    std::string longest;
    for (const std::string& line : log_of(rank))
      if (line.starts_with(begin) && line.size() > longest.size()) longest = line;
    return longest;
  }

  cornu::TemporaryFolder temporary_{"cornu-nodes-"};
  const std::string folder_ = temporary_.path();
};

constexpr double kMostSeconds = 40;  // with the making of clients and programs; a wait ends after two

/// The loss that a rank prints.
std::string loss_of(const Outcome& outcome, int rank) {
  std::smatch found;
  const std::regex line("rank " + std::to_string(rank) + R"( of \d+: \d+ replicas, loss (\d\.\d+))");
  return std::regex_search(outcome.text, found, line) ? found[1].str() : "none";
}

TEST_F(ProcessPluginEndsTest, APluginIsToldOfItsNodeAndCompilesForTheDevicesOfAll) {
  const Outcome outcome = run_nodes("-n 2", "one");
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_EQ(outcome.count("of 2: 2 replicas"), 2) << outcome.text;
  EXPECT_EQ(loss_of(outcome, 0), loss_of(outcome, 1));
  for (const int rank : {0, 1}) {
    EXPECT_TRUE(has(rank, "option node_id " + std::to_string(rank)));
    EXPECT_TRUE(has(rank, "option num_nodes 2"));
    EXPECT_TRUE(has(rank, "option cpu_device_count 1"));
    // Two replicas and one partition, and the devices 0 and 1 for them.
    EXPECT_TRUE(line_of(rank, "compile ").starts_with("compile 1a10200228014a0a080210011a040a020001"))
        << line_of(rank, "compile ");
    // One device, with four rows of the eight.
    const std::string execution = line_of(rank, "execute on 1 devices:");
    EXPECT_NE(execution.find("4x4:11"), std::string::npos) << execution;
    EXPECT_EQ(execution.find("8x4:11"), std::string::npos) << execution;
  }
  EXPECT_EQ(line_of(0, "execute "), line_of(1, "execute "));
}

TEST_F(ProcessPluginEndsTest, SeveralDevicesOfEachProcessAreInTheOrderOfRanks) {
  const Outcome outcome = run_nodes("-n 2", "two");
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_EQ(outcome.count("of 2: 4 replicas"), 2) << outcome.text;
  for (const int rank : {0, 1}) {
    EXPECT_TRUE(has(rank, "option cpu_device_count 2"));
    EXPECT_TRUE(line_of(rank, "compile ").starts_with("compile 1a12200428014a0c080410011a060a0400010203"))
        << line_of(rank, "compile ");
    EXPECT_NE(line_of(rank, "execute on 2 devices:").find("2x4:11"), std::string::npos);
  }
}

TEST_F(ProcessPluginEndsTest, EachProcessOfAMachineTakesAGpuOfItsOwn) {
  const Outcome outcome = run_nodes("-n 3", "gpu", "", "cuda");
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_EQ(outcome.count("of 3: 3 replicas"), 3) << outcome.text;
  for (const int rank : {0, 1, 2}) {
    EXPECT_TRUE(has(rank, "option visible_devices " + std::to_string(rank)));
    EXPECT_TRUE(has(rank, "option preallocate"));
  }
}

TEST_F(ProcessPluginEndsTest, ProcessesThatSeeOtherGpusEachTakeTheFirstThatTheySee) {
  const std::string child = variable("PROCESSES_CHILD");
  const Outcome outcome = run_nodes(
      "-n 1 -x CUDA_VISIBLE_DEVICES=4 " + child + " gpu : -n 1 -x CUDA_VISIBLE_DEVICES=6", "gpu", "", "cuda");
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  for (const int rank : {0, 1}) EXPECT_TRUE(has(rank, "option visible_devices 0"));
}

TEST_F(ProcessPluginEndsTest, APluginThatConnectsNoProcessesIsRefusedOnAll) {
  const Outcome outcome = run("-n 2", "one", "CORNU_PJRT_PLUGINS=cpu=" + real());
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.seconds, kMostSeconds);
  EXPECT_EQ(outcome.count("plug-in \"cpu\" (PJRT"), 2) << outcome.text;
  EXPECT_EQ(outcome.count("does not connect the devices of several processes"), 2) << outcome.text;
}

TEST_F(ProcessPluginEndsTest, MoreProcessesThanDevicesAreRefusedOnAll) {
  const Outcome outcome = run_nodes("-n 3", "gpu", "no_device:2", "cuda");
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.seconds, kMostSeconds);
  EXPECT_EQ(outcome.count("error: "), 3) << outcome.text;
  EXPECT_EQ(outcome.count("No visible GPU devices."), 3) << outcome.text;
  EXPECT_EQ(outcome.count("process 2 of 3 is number 2 of those on its machine, and takes its devices 2"), 3)
      << outcome.text;
  EXPECT_EQ(outcome.count(") failed: "), 2) << outcome.text;
}

TEST_F(ProcessPluginEndsTest, AKeyThatDoesNotComeIsNamedWithTheRankThatIsMissing) {
  const Outcome outcome = run_nodes("-n 2 -x CORNU_PROCESSES_TIMEOUT=1", "one", "silent:1");
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.seconds, kMostSeconds);
  EXPECT_NE(outcome.text.find(
                "rank 0 has waited 1 s for key \"topology/1\", which no rank has put: rank 1 (process "),
            std::string::npos)
      << outcome.text;
}

TEST_F(ProcessPluginEndsTest, AProcessThatDiesIsNamedByThoseThatWaitForIt) {
  for (const char* const fault : {"dies:1", "dies_in_step:1", "dies:0", "dies_in_step:0"}) {
    SCOPED_TRACE(fault);
    const Outcome outcome = run_nodes("-n 3 --enable-recovery", "one", fault);
    EXPECT_LT(outcome.seconds, kMostSeconds);
    EXPECT_EQ(outcome.count("error: "), 2) << outcome.text;
    const std::string name = std::string("rank ") + std::string(fault).back() + " (process ";
    EXPECT_GE(outcome.count(name), 2) << outcome.text;
    EXPECT_GE(outcome.count("has ended"), 2) << outcome.text;
  }
}

TEST_F(ProcessPluginEndsTest, AProcessThatFailsTellsTheOthersWhy) {
  const Outcome outcome = run_nodes("-n 2", "one", "fails_in_step:1");
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.seconds, kMostSeconds);
  EXPECT_EQ(outcome.count("a chip fell off"), 2) << outcome.text;
  EXPECT_NE(outcome.text.find("rank 1 (process "), std::string::npos) << outcome.text;
}

TEST_F(ProcessPluginEndsTest, APluginThatNumbersProcessesOtherwiseIsRefused) {
  const Outcome outcome = run_nodes("-n 2", "one", "is_other:1");
  EXPECT_NE(outcome.code, 0);
  EXPECT_EQ(outcome.count("numbers this process 0, and it is rank 1"), 2) << outcome.text;
}

TEST_F(ProcessPluginEndsTest, DevicesThatWereUsedBeforeAreRefusedOnAll) {
  const Outcome outcome = run_nodes("-n 2", "used");
  EXPECT_NE(outcome.code, 0);
  EXPECT_EQ(outcome.count("XLA_CPU:0 was used before this strategy was made"), 2) << outcome.text;
}

TEST_F(ProcessPluginEndsTest, OneProcessNeedsNoOther) {
  const Outcome outcome = run("-n 1", "one", "CORNU_PJRT_PLUGINS=cpu=" + real());
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_EQ(outcome.count("rank 0 of 1: 1 replicas"), 1) << outcome.text;
}

}  // namespace
