#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cornu/base/temporary_folder.h"
#include "cornu/base/tier_test_support.h"
#include "tests/processes/mpirun_test_support.h"

// Ranks that end while others work, and runs that go on with another number of ranks.
namespace {

class ProcessEndsTest : public ::testing::Test {
 protected:
  /// The last loss that ranks print; all must be alike.
  static std::string loss_of(const Outcome& outcome) {
    const std::size_t at = outcome.text.find("loss ", outcome.text.find("rank 0 of"));
    return at == std::string::npos ? "none" : outcome.text.substr(at, 13);
  }

  cornu::TemporaryFolder temporary_{"cornu-processes-"};
  const std::string folder_ = temporary_.path();
};

// From the end of a rank to that of the others, with all that comes before.
constexpr double kMostSeconds = 10;

TEST_F(ProcessEndsTest, OnlyTheFirstRankPrintsAndSaves) {
  const Outcome outcome = run("-n 3", "train " + folder_);
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_EQ(outcome.count("Epoch 1/6"), 1) << outcome.text;
  EXPECT_EQ(outcome.count(" of 3: epochs 6 " + loss_of(outcome)), 3) << outcome.text;
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/model.keras"));
  std::ifstream log(folder_ + "/log.csv");
  int lines = 0;
  for (std::string line; std::getline(log, line);) ++lines;
  EXPECT_EQ(lines, 7);
}

TEST_F(ProcessEndsTest, ARankThatIsKilledEndsTheOthersAndIsNamed) {
  const Outcome outcome = run("-n 3", "killed " + folder_ + " 1");
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.seconds, kMostSeconds);
  EXPECT_NE(outcome.text.find("rank 1"), std::string::npos) << outcome.text;
}

TEST_F(ProcessEndsTest, RanksThatMpirunLeavesAloneSayWhoHasEnded) {
  const Outcome outcome = run("-n 3 --enable-recovery", "killed " + folder_ + " 2");  // whose code is then 0
  EXPECT_LT(outcome.seconds, kMostSeconds);
  EXPECT_EQ(outcome.count("error: [MultiWorkerMirroredStrategy] rank 2 (process "), 2) << outcome.text;
}

TEST_F(ProcessEndsTest, ARankThatReturnsEarlyEndsTheOthers) {
  const Outcome outcome = run("-n 3", "returns " + folder_ + " 0");
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.seconds, kMostSeconds);
  EXPECT_NE(outcome.text.find("rank 0 (process "), std::string::npos) << outcome.text;
}

TEST_F(ProcessEndsTest, ARankThatFailsEndsTheOthers) {
  const Outcome outcome = run("-n 2", "throws " + folder_ + " 1");
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.seconds, kMostSeconds);
  EXPECT_NE(outcome.text.find("a row of this rank is bad"), std::string::npos) << outcome.text;
}

TEST_F(ProcessEndsTest, ARankThatHangsIsNamedAndEndsTheOthers) {
  const Outcome outcome = run("-n 3 -x CORNU_PROCESSES_TIMEOUT=2", "hangs " + folder_ + " 1");
  EXPECT_NE(outcome.code, 0);
  EXPECT_LT(outcome.seconds, 2 + kMostSeconds);
  EXPECT_NE(outcome.text.find("has waited 2 s for rank 1 (process "), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("which has not ended and has not reached this operation"), std::string::npos)
      << outcome.text;
  const std::string other = folder_ + "/other";  // where no backup is
  std::filesystem::create_directories(other);
  const Outcome by_option = run("-n 2", "hangs_by_option " + other + " 0");
  EXPECT_NE(by_option.code, 0);
  EXPECT_LT(by_option.seconds, 2 + kMostSeconds);
  EXPECT_NE(by_option.text.find("rank 1 has waited 1.5 s for rank 0 (process "), std::string::npos)
      << by_option.text;
}

TEST_F(ProcessEndsTest, GoesOnWithAnotherNumberOfRanks) {
  const std::string whole = folder_ + "/whole", parts = folder_ + "/parts";
  std::filesystem::create_directories(whole);
  std::filesystem::create_directories(parts);
  const Outcome expected = run("-n 2", "train " + whole);
  ASSERT_EQ(expected.code, 0) << expected.text;
  ASSERT_NE(run("-n 2", "killed " + parts + " 0").code, 0);
  const Outcome found = run("-n 4", "train " + parts);
  EXPECT_EQ(found.code, 0) << found.text;
  // Epochs 1 and 2 are in the backup, the third was lost.
  EXPECT_EQ(found.count("Epoch 3/6"), 1) << found.text;
  EXPECT_EQ(found.count("Epoch 2/6"), 0) << found.text;
  EXPECT_EQ(loss_of(found).substr(0, 9), loss_of(expected).substr(0, 9));
}

TEST_F(ProcessEndsTest, ARankThatIsKilledBetweenLookupsIsNamedByTheOthers) {
  // In memory that all processes read, and in that of each.
  std::vector<std::string> all = {"tables_of_all"};
  if (cornu::is_full_tier()) all.push_back("tables");
  for (const std::string& tables : all) {
    const Outcome outcome = run("-n 3 --enable-recovery", tables + "_killed_in_step " + folder_ + " 2");
    EXPECT_LT(outcome.seconds, kMostSeconds);
    EXPECT_EQ(outcome.count("error: [MultiWorkerMirroredStrategy] rank 2 (process "), 2) << outcome.text;
  }
}

/// "bits 0123456789abcdef" of rank 0.
std::string bits_of(const Outcome& outcome) {
  const std::size_t at = outcome.text.find("bits ", outcome.text.find("rank 0 of"));
  return at == std::string::npos ? "none" : outcome.text.substr(at, 21);
}

/// The steps in which a rank writes one of the run's six backups.
int steps_of_backup(const Outcome& outcome, int rank) {
  const std::size_t line = outcome.text.find("rank " + std::to_string(rank) + " of"),
                    at = outcome.text.find("write steps ", line);
  return line == std::string::npos || at == std::string::npos ? 0
                                                              : std::atoi(outcome.text.c_str() + at + 12) / 6;
}

TEST_F(ProcessEndsTest, ARankThatIsKilledInABackupLeavesTheOldOrTheNewOne) {
  const std::string whole = folder_ + "/whole";
  std::filesystem::create_directories(whole);
  const Outcome expected = run("-n 2", "tables " + whole);
  ASSERT_EQ(expected.code, 0) << expected.text;
  EXPECT_EQ(expected.count(bits_of(expected)), 2) << expected.text;
  for (const int rank : {0, 1}) {
    const int steps = steps_of_backup(expected, rank);
    ASSERT_GT(steps, 3) << expected.text;
    for (const int step : {steps + 1, steps + steps / 2, 2 * steps - 1, 2 * steps}) {  // of the second backup
      SCOPED_TRACE("rank " + std::to_string(rank) + " step " + std::to_string(step));
      const std::string parts = folder_ + "/parts_" + std::to_string(rank) + "_" + std::to_string(step);
      std::filesystem::create_directories(parts);
      const std::string arguments =
          "tables_killed_in_write " + parts + " " + std::to_string(rank) + " " + std::to_string(step);
      ASSERT_NE(run("-n 2", arguments).code, 0);
      const Outcome found = run("-n 2", "tables " + parts);
      EXPECT_EQ(found.code, 0) << found.text;
      EXPECT_EQ(bits_of(found), bits_of(expected)) << found.text;
      const bool is_new = rank == 0 && step == 2 * steps;  // the file has its name already
      EXPECT_EQ(found.count("begins with epoch " + std::to_string(is_new ? 2 : 1)), 2) << found.text;
      int num_files = 0;
      for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(parts)) ++num_files;
      EXPECT_EQ(num_files, 2);
    }
  }
}

TEST_F(ProcessEndsTest, TablesGoOnWithAnotherNumberOfRanks) {
  const std::string whole = folder_ + "/whole";
  std::filesystem::create_directories(whole);
  const Outcome expected = run("-n 2", "tables " + whole);
  ASSERT_EQ(expected.code, 0) << expected.text;
  for (const char* count : {"1", "4"}) {
    const std::string parts = folder_ + "/parts_of_" + count;
    std::filesystem::create_directories(parts);
    const int step = 3 * steps_of_backup(expected, 1) + 1;
    ASSERT_NE(run("-n 2", "tables_killed_in_write " + parts + " 1 " + std::to_string(step)).code, 0);
    const Outcome found = run(std::string("-n ") + count, "tables " + parts);
    EXPECT_EQ(found.code, 0) << found.text;
    EXPECT_EQ(found.count("begins with epoch 3"), std::atoi(count)) << found.text;
    EXPECT_EQ(loss_of(found).substr(0, 10), loss_of(expected).substr(0, 10)) << found.text;
  }
}

}  // namespace
