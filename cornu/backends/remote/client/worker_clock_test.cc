#include "cornu/backends/remote/client/worker_clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

namespace cornu::inline v0::backends::remote {
namespace {

TEST(WorkerClockTest, IsThatOfTheLastAnswerAndNeverGoesBack) {
  WorkerClock clock;
  EXPECT_FALSE(clock.now().has_value());
  clock.take(14.05);
  EXPECT_EQ(clock.now(), 14.05);
  clock.take(20);
  clock.take(19.5);  // of an answer that was overtaken
  EXPECT_EQ(clock.now(), 20);
}

TEST(WorkerClockTest, GoesOnWhereAWorkerWasStartedAgain) {
  WorkerClock clock;
  clock.take(3);
  clock.take(10);
  clock.restart(0.5);
  EXPECT_EQ(clock.now(), 10);
  clock.take(2.5);
  EXPECT_EQ(clock.now(), 12);
}

TEST(WorkerClockTest, IsNoneWhereTheNextWorkerReportsNone) {
  WorkerClock clock;
  clock.take(3);
  clock.restart(std::nullopt);
  EXPECT_FALSE(clock.now().has_value());
  clock.restart(1);
  EXPECT_EQ(clock.now(), 3);
}

TEST(WorkerClockTest, WhatIsNoTimeIsLeftOut) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double wrong[] = {-1e308, -1, 1e308, 1.1e12, kInfinity, -kInfinity, std::nan("")};
  for (const double first : wrong) {
    WorkerClock clock;
    clock.take(first);
    EXPECT_FALSE(clock.now().has_value()) << first;
    clock.take(5);
    EXPECT_EQ(clock.now(), 5) << first;
    for (const double later : wrong) clock.take(later);
    EXPECT_EQ(clock.now(), 5) << first;
    clock.restart(first);
    EXPECT_FALSE(clock.now().has_value()) << first;
    clock.take(1e12);
    clock.restart(0);
    EXPECT_EQ(clock.now(), 5) << first;
  }
}

TEST(WorkerClockTest, WhoLooksWhileAnotherSessionBeginsSeesATime) {
  WorkerClock clock;
  clock.take(3);
  std::atomic<bool> is_over{false};
  std::atomic<int> num_missing{0};
  std::thread reader([&] {
    while (!is_over)
      if (!clock.now().has_value()) ++num_missing;
  });
  for (int i = 0; i < 20'000; ++i) clock.restart(1);
  is_over = true;
  reader.join();
  EXPECT_EQ(num_missing.load(), 0);
  EXPECT_EQ(clock.now(), 3);
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
