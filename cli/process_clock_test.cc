#include "cli/process_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace cornu::inline v0::cli {
namespace {

TEST(ProcessClockTest, CountsFromTheProcessesStart) {
  const double before = seconds_since_process_start();
  EXPECT_GE(before, 0);
  EXPECT_LT(before, 60);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(seconds_since_process_start() - before, 0.019);
}

TEST(ProcessClockTest, PeakMemoryIsThatOfARealProcess) {
  EXPECT_GE(peak_memory_mb(), 1);
  EXPECT_LT(peak_memory_mb(), 10000);
}

}  // namespace
}  // namespace cornu::inline v0::cli
