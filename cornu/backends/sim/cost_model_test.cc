#include "cornu/backends/sim/cost_model.h"

#include <gtest/gtest.h>

namespace cornu::inline v0::backends::sim {
namespace {

using std::chrono::milliseconds;

Profile profile() {
  Profile result;
  result.link_latency_seconds = 0.010;
  result.link_bytes_per_second = 1e6;
  result.launch_seconds = 0.005;
  result.step_seconds = 0.001;
  result.flops_per_second = 1e9;
  result.compile_seconds = 2;
  return result;
}

TEST(CostModelTest, ATransferIsLatencyAndBytes) {
  const CostModel model(profile());
  EXPECT_EQ(model.transfer(0), milliseconds(10));
  EXPECT_EQ(model.transfer(3000), milliseconds(13));
}

TEST(CostModelTest, ALaunchIsOneRoundTripWithAllBytesAndItsSteps) {
  const CostModel model(profile());
  EXPECT_EQ(model.launch({.num_steps = 1}), milliseconds(16));
  EXPECT_EQ(
      model.launch({.num_steps = 4, .flops_per_step = 2e6, .bytes_to_device = 1000, .bytes_to_host = 2000}),
      milliseconds(10 + 3 + 5 + 4 * (1 + 2)));
}

TEST(CostModelTest, TheTimesOfALaunchAreItsCostWithoutTheLatency) {
  const CallTimes times = CostModel(profile()).launch_times(
      {.num_steps = 4, .flops_per_step = 2e6, .bytes_to_device = 1000, .bytes_to_host = 2000});
  EXPECT_EQ(times.to_device, milliseconds(1));
  EXPECT_EQ(times.work, milliseconds(5 + 4 * (1 + 2)));
  EXPECT_EQ(times.to_host, milliseconds(2));
}

TEST(OverlappingTimelineTest, CallsShareEachWayAndTheDevice) {
  Clock clock(true);
  OverlappingTimeline timeline(clock, milliseconds(60));
  const CallTimes call{.to_device = milliseconds(2), .work = milliseconds(5), .to_host = milliseconds(1)};
  EXPECT_EQ(timeline.submit(call), milliseconds(2 + 30 + 5 + 1 + 30));
  EXPECT_EQ(timeline.submit(call), milliseconds(2 + 30 + 2 * 5 + 1 + 30)) << "the device is what is scarce";
  EXPECT_EQ(timeline.submit({.to_host = milliseconds(20)}), milliseconds(42 + 1 + 20 + 30)) << "a read";
  EXPECT_EQ(timeline.submit({.to_device = milliseconds(100)}), milliseconds(4 + 100 + 30 + 30)) << "a write";
  EXPECT_EQ(timeline.submit(call), milliseconds(104 + 2 + 30 + 5 + 1 + 30)) << "it follows the write";
  clock.wait_until(milliseconds(1000));
  EXPECT_EQ(timeline.submit(call), milliseconds(1068)) << "nothing is under way";
}

TEST(CostModelTest, ConvolutionsAndSequencesHaveTheRatesOfTheirOwnOrThatOfTheOthers) {
  const Launch launch{.num_steps = 2,
                      .flops_per_step = 7e6,
                      .convolution_flops_per_step = 4e6,
                      .sequence_flops_per_step = 1e6};
  Profile rates = profile();
  EXPECT_EQ(CostModel(rates).launch(launch), milliseconds(10 + 5 + 2 * (1 + 7)));
  rates.convolution_flops_per_second = 2e9;
  EXPECT_EQ(CostModel(rates).launch(launch), milliseconds(10 + 5 + 2 * (1 + 2 + 2 + 1)));
  rates.sequence_flops_per_second = 1e8;
  EXPECT_EQ(CostModel(rates).launch(launch), milliseconds(10 + 5 + 2 * (1 + 2 + 2 + 10)));
}

TEST(CostModelTest, ReplicasComputeSideBySideAndSendEachOtherTheRest) {
  Profile cores = profile();
  const Launch launch{.num_steps = 2,
                      .flops_per_step = 8e6,
                      .replica_work = {.num_replicas = 4, .exchanged_bytes = 3000, .num_messages = 6}};
  EXPECT_EQ(CostModel(cores).launch(launch), milliseconds(10 + 5 + 2 * (1 + 2)));
  cores.ring_latency_seconds = 0.002;
  cores.ring_bytes_per_second = 1e6;
  EXPECT_EQ(CostModel(cores).launch(launch), milliseconds(10 + 5 + 2 * (1 + 2 + 12 + 3)));
}

TEST(CostModelTest, RowsThatAreSentCostEachStepAndAPassItsFirstLaunch) {
  Profile streams = profile();
  streams.stream_seconds = 0.6;
  streams.stream_step_seconds = 0.020;
  const CostModel model(streams);
  EXPECT_EQ(model.launch({.num_steps = 3}), milliseconds(18));
  EXPECT_EQ(model.launch({.num_steps = 3, .begins_pass = true}), milliseconds(18)) << "rows are there";
  EXPECT_EQ(model.launch({.num_steps = 3, .sends_rows = true}), milliseconds(18 + 60));
  EXPECT_EQ(model.launch({.num_steps = 3, .sends_rows = true, .begins_pass = true}),
            milliseconds(18 + 60 + 600));
}

TEST(CostModelTest, TheStateIsReadAndWrittenByEachStep) {
  Profile memory = profile();
  EXPECT_EQ(CostModel(memory).launch({.num_steps = 2, .state_bytes = 1000}), milliseconds(17));
  memory.state_bytes_per_second = 1e6;
  EXPECT_EQ(CostModel(memory).launch({.num_steps = 2, .state_bytes = 1000}), milliseconds(17 + 4));
}

TEST(CostModelTest, CompilingIsARoundTripToo) {
  EXPECT_EQ(CostModel(profile()).compile(), milliseconds(2010));
}

TEST(CostModelTest, CostsBeyondTheLargestTimeStayThere) {
  Profile slow = profile();
  slow.flops_per_second = 1;
  EXPECT_EQ(CostModel(slow).launch({.num_steps = 1, .flops_per_step = 1e30}), SimulatedTime::max());
  EXPECT_EQ(saturated_sum(SimulatedTime::max(), milliseconds(1)), SimulatedTime::max());
}

TEST(ClockTest, AVirtualClockMovesByWhatIsWaitedForAndNeverBack) {
  Clock clock(true);
  EXPECT_EQ(clock.now(), SimulatedTime(0));
  clock.wait_until(milliseconds(60));
  clock.wait_until(milliseconds(20));
  EXPECT_EQ(clock.now(), milliseconds(60));
  EXPECT_EQ(seconds(clock.now()), 0.06);
}

TEST(ClockTest, ARealClockWaits) {
  Clock clock(false);
  const SimulatedTime until = clock.now() + milliseconds(20);
  clock.wait_until(until);
  EXPECT_GE(clock.now(), until);
}

TEST(ClockTest, ManyCostsAddUpExactly) {
  Clock clock(true);
  Timeline timeline(clock);
  for (int i = 0; i < 1000; ++i) clock.wait_until(timeline.submit(simulated_time(0.06)));
  EXPECT_EQ(clock.now(), std::chrono::seconds(60));
}

TEST(TimelineTest, WorkWaitsForTheWorkBeforeItAndNotForTheHost) {
  Clock clock(true);
  Timeline timeline(clock);
  EXPECT_EQ(timeline.submit(milliseconds(5)), milliseconds(5));
  EXPECT_EQ(timeline.submit(milliseconds(7)), milliseconds(12)) << "nobody waited for the first";
  EXPECT_EQ(clock.now(), SimulatedTime(0));
  clock.wait_until(milliseconds(100));
  EXPECT_EQ(timeline.submit(milliseconds(1)), milliseconds(101)) << "the device was idle";
}

}  // namespace
}  // namespace cornu::inline v0::backends::sim
