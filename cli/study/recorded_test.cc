// Stated intervals beside a recorded log: tests may not measure time. tests/study/README.md describes the
// log.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "cli/study/bootstrap.h"
#include "cli/study/machine_log.h"
#include "cli/study/statistics.h"

namespace cornu::inline v0::study {
namespace {

constexpr std::size_t kSets = 5;  // of the repeats of a measurement

/// Every fifth repeat from `set` on, or all others.
Repeats part_of(const Repeats& all, std::size_t set, bool is_inside) {
  Repeats part;
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i % kSets == set) == is_inside) part.push_back(all[i]);
  return part;
}

TEST(RecordedTest, TheMedianOfRepeatsThatWereLeftOutLiesInTheStatedIntervalIn90PercentOfCases) {
  const MachineLog log = read_machine_log("tests/study/two_processors.log");
  ASSERT_GE(log.entries.size(), 12U);
  int num_cases = 0, num_inside = 0;
  std::map<std::string, int> outside;
  for (const MachineLogEntry& entry : log.entries) {
    ASSERT_GE(entry.milliseconds.size(), kSets * kFewestRepeats) << entry.name();
    for (std::size_t set = 0; set < kSets; ++set) {
      const auto stated = median_interval(part_of(entry.milliseconds, set, true));
      ASSERT_TRUE(stated.has_value());
      const double median = summarize(part_of(entry.milliseconds, set, false)).median;
      ++num_cases;
      if (median >= stated->low && median <= stated->high)
        ++num_inside;
      else
        ++outside[entry.name()];
    }
  }
  std::string names;
  for (const auto& [name, count] : outside) names += name + " " + std::to_string(count) + "; ";
  EXPECT_GE(num_inside, 0.9 * num_cases) << num_inside << " of " << num_cases << "; outside: " << names;
}

TEST(RecordedTest, RepeatsThatWereLeftOutNameTheSameWinnerOrNone) {
  const MachineLog log = read_machine_log("tests/study/two_processors.log");
  std::map<std::string, std::vector<Repeats>> by_program;
  for (const MachineLogEntry& entry : log.entries) by_program[entry.program].push_back(entry.milliseconds);
  int num_compared = 0;
  for (const auto& [program, threads] : by_program) {
    if (threads.size() < 2) continue;
    for (std::size_t set = 0; set < kSets; ++set) {
      std::vector<Repeats> most;
      for (const Repeats& each : threads) most.push_back(part_of(each, set, false));
      const auto leader = find_leader(most);
      ASSERT_TRUE(leader.has_value());
      if (leader->share < kWinningShare) continue;
      ++num_compared;
      std::vector<Repeats> few;
      for (const Repeats& each : threads) few.push_back(part_of(each, set, true));
      const auto other = find_leader(few);
      ASSERT_TRUE(other.has_value());
      EXPECT_TRUE(other->share < kWinningShare || other->index == leader->index) << program;
    }
  }
  EXPECT_GT(num_compared, 0);
}

}  // namespace
}  // namespace cornu::inline v0::study
