#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "cornu/base/tick_clock.h"
#include "cornu/runtime/profiler.h"
#include "cornu/runtime/trace_test_support.h"

namespace cornu::inline v0::runtime {
namespace {

/// The record of one execution of two steps of a millisecond each, on a calling thread and one of the pool.
ProfileRecord record_of(const std::string& name) {
  auto facts = std::make_shared<ProgramFacts>();
  facts->name = name;
  facts->limits = {.gflops = 10, .gb_s = 10};
  facts->groups.push_back({.kind = "loop", .ops = "add", .layers = name + "_layer", .bytes = 1e6});
  ProfileRecord record;
  record.programs.push_back(
      {.facts = facts, .groups = {{2, 1.8e-3}}, .executions = 1, .steps = 2, .seconds = 2e-3});
  record.slices = {{0, kExecutionEvent, 0, 0, 2e-3},
                   {0, kStepEvent, 0, 0, 1e-3},
                   {0, 0, 0, 0, 0.9e-3},
                   {0, kLoopEvent, kFirstPoolTrack + 1, 0.1e-3, 0.8e-3}};
  return record;
}

void wait_for_ticks(std::int64_t begin, double seconds) {
  while (static_cast<double>(read_ticks() - begin) * seconds_per_tick() < seconds) {
  }
}

TEST(ProfileRecordTest, ReplicasThatRunAtTheSameTimeShareTheWallTimeAndHaveProcessesOfTheirOwn) {
  Profiler profiler;
  profiler.start();
  const std::int64_t begin = read_ticks();
  wait_for_ticks(begin, 4e-3);
  const std::int64_t end = read_ticks();
  profiler.stop();
  for (const std::int64_t replica : {0, 1})
    profiler.add(record_of(replica == 0 ? "first" : "second"), begin, end,
                 ProfileMember{.replica = replica, .num_replicas = 2, .place = "there"});
  const std::string report = profiler.report(5, {1, 1});
  EXPECT_NE(report.find("first, replica 0 of 2 on there: 1000.0 us a step, 2 steps in 1 executions"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("second, replica 1 of 2 on there: "), std::string::npos) << report;
  // The share of the wall time is the replicas' mean, not their sum: two milliseconds of four or more.
  const std::size_t line = report.find(" ms of wall time: ");
  ASSERT_NE(line, std::string::npos) << report;
  EXPECT_LE(std::stod(report.substr(line + 18)), 45.1) << report;
  EXPECT_EQ(report.find("besides: "), std::string::npos) << report;
  const ReadTrace trace = read_trace(profiler.trace());
  EXPECT_EQ(trace.processes,
            (std::map<int, std::string>{
                {1, "Cornu"}, {2, "replica 0 of 2 on there"}, {3, "replica 1 of 2 on there"}}));
  // A loop's part has the label of the group in its own process.
  EXPECT_EQ(trace.names.at("first_layer: add"), 2);
  EXPECT_EQ(trace.names.at("second_layer: add"), 2);
}

TEST(ProfileRecordTest, WhatDevicesMeasuredNothingOfIsSaidBesideTheRest) {
  Profiler profiler;
  profiler.record_unmeasured();
  EXPECT_EQ(profiler.report(5, {1, 1}), "profile: this device gives no profile\n");
  const std::int64_t now = read_ticks();
  profiler.add(record_of("first"), now, now + 1);
  const std::string report = profiler.report(5, {1, 1});
  EXPECT_EQ(report.find("first: 1000.0 us a step"), 0U) << report;
  EXPECT_NE(report.find("besides: 1 executions on devices that give no profile"), std::string::npos)
      << report;
}

}  // namespace
}  // namespace cornu::inline v0::runtime
