#include "cornu/runtime/profiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/backends/cpu/step_test_support.h"
#include "cornu/base/error.h"
#include "cornu/runtime/trace_test_support.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using runtime::Profiler;
using runtime::ProgramProfile;

/// A profile of `num_steps` steps, `steps_per_execution` at a time.
void profile_steps(Profiler& profiler, runtime::Client& client, std::int64_t batch, std::int64_t num_steps,
                   std::int64_t steps_per_execution) {
  TestStep step;
  make_test_step(step, batch, 300, 256, 10);
  const auto executable = client.compile({&step.function, step.kinds, "test_step"});
  profiler.start();
  run_test_step(client, *executable, step, 500, num_steps, steps_per_execution);
  profiler.stop();
}

TEST(ProfilerTest, CountsStepsExecutionsAndEveryGroupsCalls) {
  Profiler profiler;
  profile_steps(profiler, *runtime::make_client("cpu", {.num_threads = 2}), 96, 7, 3);
  const std::vector<ProgramProfile> programs = profiler.programs();
  ASSERT_EQ(programs.size(), 1U);
  EXPECT_EQ(programs[0].facts->name, "test_step");
  EXPECT_EQ(programs[0].facts->num_threads, 2);
  EXPECT_EQ(programs[0].executions, 3);
  EXPECT_EQ(programs[0].steps, 7);
  ASSERT_EQ(programs[0].groups.size(), programs[0].facts->groups.size());
  double seconds = 0;
  for (std::size_t g = 0; g < programs[0].groups.size(); ++g) {
    if (programs[0].facts->groups[g].is_control) continue;
    EXPECT_EQ(programs[0].groups[g].calls, 7) << programs[0].facts->groups[g].ops;
    EXPECT_GE(programs[0].groups[g].seconds, 0);
    seconds += programs[0].groups[g].seconds;
  }
  EXPECT_GT(seconds, 0);
  EXPECT_LE(seconds, programs[0].seconds * (1 + 1e-9)) << "groups run inside executions";
  EXPECT_LE(programs[0].seconds, profiler.wall_seconds() * 1.001)
      << "compiling the measuring code is left out, executions are not";
}

TEST(ProfilerTest, AMeasuredRunGivesTheSameBits) {
  TestStep step;
  make_test_step(step, 96, 300, 256, 10);
  const auto client = runtime::make_client("cpu", {.num_threads = 2});
  const TestRun expected = run_test_step(*client, step, 500, 5, 2);
  Profiler profiler;
  profiler.start();
  const TestRun measured = run_test_step(*client, step, 500, 5, 2);
  EXPECT_EQ(measured.state, expected.state);
  EXPECT_EQ(measured.predictions, expected.predictions);
}

TEST(ProfilerTest, TheTraceNestsGroupsInStepsInExecutionsAndTheirTimesAddUp) {
  for (const std::int64_t k : {1, 3, 7}) {
    SCOPED_TRACE(k);
    Profiler profiler;
    profile_steps(profiler, *runtime::make_client("cpu", {.num_threads = 2}), 96, 7, k);
    const runtime::ReadTrace trace = runtime::read_trace(profiler.trace());
    EXPECT_TRUE(trace.complete);
    EXPECT_EQ(trace.slices.at("execution"), (7 + k - 1) / k);
    EXPECT_EQ(trace.slices.at("step"), 7);
    int groups = 0;
    const ProgramProfile profile = profiler.programs().at(0);
    for (const runtime::GroupFacts& group : profile.facts->groups) groups += group.is_control ? 0 : 7;
    EXPECT_EQ(trace.slices.at("group"), groups);
    EXPECT_EQ(trace.tracks.at(0), "calling thread 1");
    // One reading of the clock ends a group and begins the next, so a step is its groups; a nanosecond each
    // for rounding.
    EXPECT_NEAR(trace.microseconds.at("group"), trace.microseconds.at("step"), 1e-3 * groups);
    EXPECT_LE(trace.microseconds.at("step"), trace.microseconds.at("execution") + 1e-3 * 7);
  }
}

TEST(ProfilerTest, ThreadsOfThePoolHaveTracksOfTheirOwn) {
  Profiler profiler;
  // A loop that is over before a thread wakes leaves no trace of it: again until one was there.
  const auto client = runtime::make_client("cpu", {.num_threads = 2});
  for (int repetition = 0; repetition < 200; ++repetition) {
    profile_steps(profiler, *client, 512, 4, 4);
    if (profiler.trace().find("pool thread 1") != std::string::npos) break;
  }
  const runtime::ReadTrace trace = runtime::read_trace(profiler.trace());
  EXPECT_EQ(trace.tracks.at(1001), "pool thread 1");
  EXPECT_GT(trace.slices.at("loop"), 0);
}

TEST(ProfilerTest, WhatDoesNotFitIntoTheTraceIsStillCounted) {
  Profiler profiler({.max_events = 10});
  profile_steps(profiler, *runtime::make_client("cpu"), 96, 7, 3);
  const runtime::ReadTrace trace = runtime::read_trace(profiler.trace());
  EXPECT_FALSE(trace.complete);
  int slices = 0;
  for (const auto& [category, count] : trace.slices) slices += count;
  EXPECT_EQ(slices, 10);
  const ProgramProfile profile = profiler.programs().at(0);
  EXPECT_EQ(profile.steps, 7);
  for (const runtime::GroupProfile& group : profile.groups) EXPECT_EQ(group.calls, 7);
}

TEST(ProfilerTest, GroupsInALoopOfTheProgramRunOftenerThanTheStep) {
  ir::Function function;
  ir::Builder b(function.body);
  const ir::Value x = function.body.add_argument({ir::DType::kF32, {64}});
  b.set_location("a \"quoted\"\nlayer\\");
  const std::vector<ir::Value> out = ops::while_(
      b, std::vector<ir::Value>{ops::scalar(b, ir::DType::kI32, 0), x},
      [](ir::Builder& c, std::span<const ir::Value> v) {
        return ops::compare(c, v[0], ops::scalar(c, ir::DType::kI32, 5), ops::ComparisonDirection::kLt);
      },
      [](ir::Builder& c, std::span<const ir::Value> v) {
        return std::vector<ir::Value>{ops::add(c, v[0], ops::scalar(c, ir::DType::kI32, 1)),
                                      ops::tanh(c, v[1])};
      });
  function.body.set_results({out[1]});
  const auto client = runtime::make_client("cpu");
  const auto executable = client->compile({&function, {runtime::ArgumentKind::kState}, "loop"});
  const auto buffer = client->allocate({ir::DType::kF32, {64}});
  runtime::Buffer* const state[] = {buffer.get()};
  Profiler profiler;
  profiler.start();
  executable->run({.state = state}, 2);
  profiler.stop();
  const ProgramProfile profile = profiler.programs().at(0);
  std::int64_t most = 0;
  double inside = 0;
  for (std::size_t g = 0; g < profile.groups.size(); ++g) {
    if (profile.facts->groups[g].is_control) {
      EXPECT_EQ(profile.groups[g].calls, 0);
    } else {
      most = std::max(most, profile.groups[g].calls);
      inside += profile.groups[g].seconds;
    }
  }
  EXPECT_EQ(most, 2 * 6) << "the condition";
  EXPECT_LE(inside, profile.seconds);
  const runtime::ReadTrace trace = runtime::read_trace(profiler.trace());
  bool has_name = false;
  for (const auto& [name, count] : trace.names)
    has_name = has_name || name.starts_with("a \"quoted\"\nlayer\\: ");
  EXPECT_TRUE(has_name);
}

TEST(ProfilerTest, MeasuresBetweenStartAndStopOnly) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  const auto client = runtime::make_client("cpu");
  const auto executable = client->compile({&step.function, step.kinds, "test_step"});
  Profiler outer, inner;
  run_test_step(*client, *executable, step, 100, 3, 3);
  EXPECT_EQ(Profiler::current(), nullptr);
  outer.start();
  inner.start();
  inner.start();
  EXPECT_EQ(Profiler::current(), &inner);
  run_test_step(*client, *executable, step, 100, 4, 4);
  inner.stop();
  EXPECT_EQ(Profiler::current(), &outer);
  run_test_step(*client, *executable, step, 100, 5, 5);
  outer.stop();
  outer.stop();
  EXPECT_EQ(Profiler::current(), nullptr);
  run_test_step(*client, *executable, step, 100, 6, 6);
  EXPECT_EQ(inner.programs().at(0).steps, 4);
  EXPECT_EQ(outer.programs().at(0).steps, 5);
  EXPECT_EQ(outer.programs().at(0).facts, inner.programs().at(0).facts);
}

TEST(ProfilerTest, MayEndOnAnotherThreadAndInAnyOrder) {
  auto outer = std::make_unique<Profiler>(), inner = std::make_unique<Profiler>();
  outer->start();
  inner->start();
  outer.reset();
  EXPECT_EQ(Profiler::current(), inner.get());
  std::thread([&] { inner.reset(); }).join();
  Profiler other;  // measures on, so that this thread looks whether it is measured
  std::thread([&] {
    other.start();
    EXPECT_EQ(Profiler::current(), &other);
  }).join();
  EXPECT_EQ(Profiler::current(), nullptr);
}

TEST(ProfilerTest, TheReportShowsTheLargestGroupsTheOthersAndTheTotal) {
  Profiler profiler;
  EXPECT_EQ(profiler.report(3, {100, 50}), "profile: no program ran\n");
  profile_steps(profiler, *runtime::make_client("cpu"), 96, 7, 3);
  const std::string report = profiler.report(3, {100, 50});
  EXPECT_EQ(report.find("test_step: "), 0U) << report;
  EXPECT_NE(report.find("7 steps in 3 executions"), std::string::npos) << report;
  EXPECT_NE(report.find("limits 100.0 GFLOP/s, 50.0 GB/s"), std::string::npos) << report;
  EXPECT_NE(report.find(" others\n"), std::string::npos) << report;
  EXPECT_NE(report.find("all "), std::string::npos) << report;
  EXPECT_NE(report.find("GFLOP/s "), std::string::npos) << report;
  EXPECT_NE(report.find(" of wall time: "), std::string::npos) << report;
  // Title, heads, three groups, others, total, wall time.
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 8) << report;
  EXPECT_NE(profiler.report().find("GB/s\n"), std::string::npos) << "limits are measured when none are given";
}

TEST(ProfilerTest, ExplainShowsMeasuredTimes) {
  TestStep step;
  make_test_step(step, 20, 4, 32, 3);
  const auto client = runtime::make_client("cpu");
  const auto executable = client->compile({&step.function, step.kinds, "test_step"});
  Profiler profiler({.max_events = 0});
  EXPECT_EQ(executable->explain(&profiler).find("meas. us"), std::string::npos);
  profiler.start();
  run_test_step(*client, *executable, step, 100, 3, 3);
  EXPECT_NE(executable->explain(&profiler).find("meas. us"), std::string::npos);
  EXPECT_NE(executable->explain(&profiler).find("measured over 3 steps"), std::string::npos);
  EXPECT_EQ(executable->explain().find("meas. us"), std::string::npos);
}

TEST(ProfilerTest, FilesThatCannotBeWrittenAreErrorsWithTheirPath) {
  const Profiler profiler;
  for (const char* path : {"no/such/folder/trace.json", "/"}) {
    try {
      runtime::check_can_write(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
    EXPECT_THROW(profiler.write_trace(path), Error);
  }
  const std::string path = ::testing::TempDir() + "/cornu_profiler_test.json";
  runtime::check_can_write(path);
  EXPECT_FALSE(std::ifstream(path).good()) << "who asks leaves no file";
  profiler.write_trace(path);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(runtime::read_trace(text.str()).complete);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
