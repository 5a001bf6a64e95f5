#include "cli/study/device_costs.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"

namespace cornu::inline v0::study {
namespace {

/// The times of a device with these costs.
StepTimes times_of(const DeviceCosts& costs) {
  return {.single = costs.step(1, 32),
          .many = costs.step(50, 32),
          .many_large = costs.step(50, 128),
          .many_steps = 50,
          .batch_size = 32,
          .large_batch_size = 128};
}

const DeviceCosts kNear = {.device = "near", .call_seconds = 1e-6, .step_seconds = 1e-4, .row_seconds = 1e-4};
const DeviceCosts kFar = {.device = "far", .call_seconds = 6e-2, .step_seconds = 2e-4, .row_seconds = 1e-6};

TEST(DeviceCostsTest, ThreeTimesTellThreeCosts) {
  for (const DeviceCosts& costs : {kNear, kFar}) {
    const DeviceCosts found = costs_of(costs.device, times_of(costs));
    EXPECT_NEAR(found.call_seconds, costs.call_seconds, 1e-12);
    EXPECT_NEAR(found.step_seconds, costs.step_seconds, 1e-12);
    EXPECT_NEAR(found.row_seconds, costs.row_seconds, 1e-12);
  }
  // Noise never makes a cost negative.
  const DeviceCosts noisy = costs_of("n", {.single = 1,
                                           .many = 1.1,
                                           .many_large = 0.9,
                                           .many_steps = 50,
                                           .batch_size = 32,
                                           .large_batch_size = 128});
  EXPECT_EQ(noisy.call_seconds, 0);
  EXPECT_EQ(noisy.row_seconds, 0);
  EXPECT_DOUBLE_EQ(noisy.step_seconds, 1.1);
}

TEST(DeviceCostsTest, BreakEvenIsWhereBothTakeAsLong) {
  const BreakEven at_one = break_even_batch(kFar, kNear, 1), at_many = break_even_batch(kFar, kNear, 500);
  ASSERT_TRUE(at_one.at.has_value() && at_many.at.has_value());
  EXPECT_TRUE(at_one.x_wins_above);
  EXPECT_NEAR(kFar.step(1, *at_one.at), kNear.step(1, *at_one.at), 1e-12);
  EXPECT_GT(*at_one.at, 100 * *at_many.at) << "calls are what made it slow";
  EXPECT_FALSE(break_even_batch(kNear, kFar, 1).x_wins_above);
  DeviceCosts worse = kNear;
  worse.row_seconds *= 2;
  EXPECT_FALSE(break_even_batch(kNear, worse, 1).at.has_value());
  EXPECT_TRUE(break_even_batch(kNear, worse, 1).x_wins_above);
  EXPECT_FALSE(break_even_batch(worse, kNear, 1).x_wins_above);
}

TEST(DeviceCostsTest, BreakEvenSizeIsWhereModelsOfThatSizeTakeAsLong) {
  DeviceCosts near = kNear, far = kFar;
  near.base_seconds = 2e-4;  // of 3.3 ms at batch 32
  far.base_seconds = 2.1e-4;
  const BreakEven at_one = break_even_size(far, near, 1, 32), at_many = break_even_size(far, near, 500, 32);
  ASSERT_TRUE(at_one.at.has_value() && at_many.at.has_value());
  EXPECT_TRUE(at_one.x_wins_above && at_many.x_wins_above);
  EXPECT_NEAR(step_of_size(far, *at_one.at, 1, 32), step_of_size(near, *at_one.at, 1, 32), 1e-12);
  EXPECT_NEAR(*at_one.at, (0.06 + 1e-5) / (3.1e-3 - 2.2e-5), 0.01);
  EXPECT_NEAR(*at_many.at, (0.06 / 500 + 1e-5) / (3.1e-3 - 2.2e-5), 0.001) << "a call is paid once in 500";
  EXPECT_FALSE(break_even_size(near, far, 1, 32).x_wins_above);
  EXPECT_DOUBLE_EQ(step_of_size(near, 1, 1, 32), near.step(1, 32)) << "the model itself";
  EXPECT_DOUBLE_EQ(step_of_size(near, 0, 50, 32), near.call_seconds / 50 + near.base_seconds);
  DeviceCosts worse = near;
  worse.row_seconds *= 2;
  EXPECT_FALSE(break_even_size(near, worse, 1, 32).at.has_value());
  EXPECT_TRUE(break_even_size(near, worse, 1, 32).x_wins_above);
  // A model that is all base is as fast at any size.
  worse = kFar;
  worse.base_seconds = 1;
  EXPECT_DOUBLE_EQ(step_of_size(worse, 1000, 1, 32), step_of_size(worse, 1, 1, 32));
}

TEST(DeviceCostsTest, StepsHideCallsAndOneIsEnoughWhereTheyCostNothing) {
  EXPECT_EQ(recommended_steps(kNear, 32), 1);
  EXPECT_EQ(recommended_steps(kFar, 32), 500);
  DeviceCosts between = kNear;
  between.call_seconds = 1e-3;
  EXPECT_EQ(recommended_steps(between, 32), 10);
}

TEST(DeviceCostsTest, TheReasonIsTheLargestDifference) {
  EXPECT_NE(why_slower(kFar, kNear, 32)
                .find("far is slower than near at K = 1, 60 ms a step against 3.3 ms, because "
                      "each call of it costs 60 ms (1.0 us)"),
            std::string::npos)
      << why_slower(kFar, kNear, 32);
  EXPECT_NE(why_slower(kNear, kFar, 100000).find("computes the rows of a batch in 10 s"), std::string::npos)
      << why_slower(kNear, kFar, 100000);
}

TEST(DeviceCostsTest, TheFastestWithinTheLimitsElseTheNearest) {
  const Plan plans[] = {{&kNear, 1, 32, 100, 1}, {&kFar, 500, 32, 10, 5}};
  EXPECT_EQ(choose(plans, {}).plan.costs, &kFar);
  EXPECT_EQ(choose(plans, {.budget = 2}).plan.costs, &kNear);
  const Choice none = choose(plans, {.budget = 0.9, .deadline_seconds = 50});
  EXPECT_FALSE(none.is_within);
  EXPECT_EQ(none.plan.costs, &kNear) << "twice the time, against five times the money";
  const Plan free[] = {{&kNear, 1, 32, 100, 0}}, unpriced[] = {{&kNear, 1, 32, 100}};
  EXPECT_TRUE(choose(free, {.budget = 1}).is_within) << "what costs nothing has a price";
  try {
    choose(unpriced, {.budget = 1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--price near=AN_HOUR is missing"), std::string::npos);
  }
  EXPECT_THROW(choose({}, {}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::study
