#include "cli/process_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace cornu::inline v0::cli {
namespace {

/// When this program was loaded, shortly after its start; the tests before these take as long as they like.
const std::chrono::steady_clock::time_point kLoaded = std::chrono::steady_clock::now();

TEST(ProcessClockTest, CountsFromTheProcessesStart) {
  const double before = seconds_since_process_start();
  const std::chrono::duration<double> since_loaded = std::chrono::steady_clock::now() - kLoaded;
  EXPECT_GE(before, since_loaded.count() - 0.02);  // the system counts a start in hundredths of a second
  EXPECT_LT(before, since_loaded.count() + 60);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(seconds_since_process_start() - before, 0.019);
}

TEST(ProcessClockTest, PeakMemoryIsThatOfARealProcess) {
  EXPECT_GE(peak_memory_mb(), 1);
  EXPECT_LT(peak_memory_mb(), 10000);
}

}  // namespace
}  // namespace cornu::inline v0::cli
