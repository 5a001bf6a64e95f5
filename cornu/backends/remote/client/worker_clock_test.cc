#include "cornu/backends/remote/client/worker_clock.h"

#include <gtest/gtest.h>

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
  clock.restart();
  clock.take(0.5);
  EXPECT_EQ(clock.now(), 10);
  clock.take(2.5);
  EXPECT_EQ(clock.now(), 12);
}

TEST(WorkerClockTest, IsNoneWhereTheNextWorkerReportsNone) {
  WorkerClock clock;
  clock.take(3);
  clock.restart();
  EXPECT_FALSE(clock.now().has_value());
  clock.restart();
  clock.take(1);
  EXPECT_EQ(clock.now(), 3);
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
