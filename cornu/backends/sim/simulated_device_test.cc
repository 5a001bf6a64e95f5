#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <thread>

#include "cornu/backends/sim/backend.h"
#include "cornu/backends/stacked/line_training_test_support.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/base/log_test_support.h"
#include "cornu/ops/all.h"
#include "cornu/runtime/profiler.h"
#include "cornu/transform/gradient.h"

namespace cornu::inline v0::backends::sim {
namespace {

using ir::DType;
using ir::Value;
using namespace stacked::line_training;

/// Free of cost, on a virtual clock, four steps a launch.
Profile free_profile() {
  Profile profile = find_profile("ideal");
  profile.max_steps_per_launch = 4;
  return profile;
}

TEST(SimulatedDeviceTest, HidesTheAddressesOfItsMemory) {
  const auto client = make_simulated_client(free_profile());
  EXPECT_FALSE(client->is_addressable());
  const auto buffer = client->allocate({DType::kF32, {2}});
  EXPECT_EQ(buffer->host_data(), nullptr);
  EXPECT_EQ(buffer->writable_host_data(), nullptr);
  EXPECT_EQ(buffer->share(), nullptr);
  const float values[] = {1, 2};
  buffer->copy_from_host(values);
  float read[2] = {};
  buffer->copy_to_host(read);
  EXPECT_EQ(read[1], 2);
}

TEST(SimulatedDeviceTest, AnyNumberOfStepsHasTheBitsOfTheNativeLoop) {
  const auto cpu = runtime::make_client("cpu");
  const auto simulated = make_simulated_client(free_profile());
  for (const std::int64_t steps : {0, 1, 2, 3, 4, 5, 8, 11, 40}) {
    SCOPED_TRACE(steps);
    LineTraining native(*cpu), sliced(*simulated);
    EXPECT_EQ(native.run(steps), steps);
    EXPECT_EQ(sliced.run(steps), steps);
    EXPECT_EQ(sliced.progress.steps_done.load(), steps);
    EXPECT_EQ(sliced.weights_now(), native.weights_now());
    EXPECT_EQ(sliced.steps_counted(), steps);
    EXPECT_EQ(sliced.losses, native.losses);
    EXPECT_EQ(sliced.predictions, native.predictions);
  }
}

TEST(SimulatedDeviceTest, ProgramsAreCompiledForAFewNumbersOfSteps) {
  const auto client = make_simulated_client(free_profile());
  LineTraining training(*client);
  EXPECT_EQ(client->counts().compiles.calls, 0) << "nobody knows yet how many steps an execution has";
  training.executable->prepare(11);
  EXPECT_EQ(client->counts().compiles.calls, 1) << "of four steps, which serves the tail of three, too";
  training.run(11);
  training.run(3);
  training.run(1);
  EXPECT_EQ(client->counts().compiles.calls, 1);
  EXPECT_EQ(client->counts().executions.calls, 3 + 1 + 1);
  EXPECT_EQ(client->counts().executions.items, 15);
}

TEST(SimulatedDeviceTest, CostsAreThoseOfTheProfileExactly) {
  Profile profile = free_profile();
  profile.link_latency_seconds = 0.010;
  profile.launch_seconds = 0.005;
  profile.step_seconds = 0.001;
  profile.compile_seconds = 2;
  const auto client = make_simulated_client(profile);
  LineTraining training(*client);
  EXPECT_NEAR(client->now(), 0.010, 1e-12) << "one write of three buffers";
  training.executable->prepare(8);
  EXPECT_NEAR(client->now(), 0.010 + 2.010, 1e-12);
  const double start = client->now();
  const runtime::Submission submission = training.submit(8);
  EXPECT_EQ(client->now(), start) << "an execution is not waited for";
  EXPECT_FALSE(submission.done.is_ready());
  submission.done.wait();
  EXPECT_NEAR(client->now() - start, 2 * (0.010 + 0.005 + 4 * 0.001), 1e-12);
  training.weights_now();
  EXPECT_NEAR(client->now() - start, 2 * (0.010 + 0.005 + 4 * 0.001) + 0.010, 1e-12);
  const runtime::TransferStatistics counts = client->counts();
  EXPECT_EQ(
      counts.writes,
      (runtime::CallTotal{.calls = 1, .items = 3, .bytes = 12 + 4 + 4, .seconds = counts.writes.seconds}));
  EXPECT_EQ(counts.reads.calls, 1);
  const std::int64_t stack_bytes = 4 * kBatch * (kFeatures + 1) * 4, output_bytes = 4 * (kBatch + 1) * 4;
  EXPECT_EQ(counts.executions.bytes, 2 * (stack_bytes + 8 + output_bytes));
  EXPECT_NEAR(counts.executions.seconds, 2 * 0.019, 1e-12);
}

TEST(SimulatedDeviceTest, ZerosTakeTheTimeOfResultsAndLeaveStateAsItIs) {
  for (const char* const device : {"sim:colab-tpu-node,clock=virtual,stream_seconds=0.5",
                                   "sim:call_60ms,clock=virtual,calls=overlapping,rows=kept"}) {
    SCOPED_TRACE(device);
    CapturedLog log;
    const auto computed = runtime::make_client(device);
    EXPECT_EQ(log.take(), "");
    const auto zeros = runtime::make_client(std::string(device) + ",results=zeros");
    EXPECT_NE(log.take().find("losses and predictions are zeros"), std::string::npos);
    LineTraining expected(*computed), timed(*zeros);
    const std::vector<float> weights = timed.weights_now();
    expected.weights_now();
    for (const std::int64_t steps : {1, 3, 8, 11}) {
      expected.run(steps);
      EXPECT_EQ(timed.run(steps), steps);
      EXPECT_EQ(zeros->now(), computed->now()) << steps;
      EXPECT_EQ(timed.losses, std::vector<float>(static_cast<std::size_t>(steps), 0.0F));
      EXPECT_EQ(timed.predictions, std::vector<float>(static_cast<std::size_t>(steps * kBatch), 0.0F));
    }
    EXPECT_NE(expected.weights_now(), weights);
    EXPECT_EQ(timed.weights_now(), weights);
    EXPECT_EQ(timed.steps_counted(), 0U);
    EXPECT_NE(zeros->description().find("results are zeros"), std::string::npos);
  }
}

TEST(SimulatedDeviceTest, OverlappingCallsTakeOneRoundTripAndTheirWork) {
  Profile profile = free_profile();
  profile.calls = "overlapping";
  profile.link_latency_seconds = 0.060;
  profile.link_bytes_per_second = 1e6;
  profile.launch_seconds = 0.001;
  profile.step_seconds = 0.002;
  const auto client = make_simulated_client(profile), waiting = make_simulated_client(free_profile());
  LineTraining training(*client), expected(*waiting);
  training.executable->prepare(4);
  training.weights_now();  // the writes have arrived
  const double start = client->now();
  std::vector<runtime::Submission> submissions;
  for (int i = 0; i < 10; ++i) submissions.push_back(training.submit(4));
  EXPECT_EQ(client->now(), start) << "no execution is waited for";
  submissions.back().done.wait();
  // All but the first are sent while the device works. An execution sends less than it works.
  const double sent = 1e-6 * (4 * kBatch * (kFeatures + 1) * 4 + 8), answered = 1e-6 * (4 * (kBatch + 1) * 4);
  const double work = 0.001 + 4 * 0.002;
  EXPECT_NEAR(client->now() - start, 0.060 + sent + 10 * work + answered, 1e-9);
  for (int i = 0; i < 10; ++i) expected.run(4);
  EXPECT_EQ(training.weights_now(), expected.weights_now());
  EXPECT_NEAR(client->now() - start, 0.060 + sent + 10 * work + answered + 0.060 + 1e-6 * 4 * kFeatures,
              1e-9);
}

TEST(SimulatedDeviceTest, ARealClockWaitsForTheCosts) {
  Profile profile = free_profile();
  profile.clock = "real";
  profile.link_latency_seconds = 0.02;
  const auto client = make_simulated_client(profile);
  const auto buffer = client->allocate({DType::kF32, {}});
  const auto start = std::chrono::steady_clock::now();
  const float value = 1;
  buffer->copy_from_host(&value);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
  EXPECT_GE(client->counts().writes.seconds, 0.0199);
}

TEST(SimulatedDeviceTest, StopsBetweenLaunches) {
  const auto client = make_simulated_client(free_profile());
  LineTraining training(*client);
  training.progress.stop = true;
  EXPECT_EQ(training.run(8), 0);
  EXPECT_EQ(training.steps_counted(), 0U);
}

TEST(SimulatedDeviceTest, AfterAFailureTheStateIsThatOfTheStepsBeforeIt) {
  for (const int failing : {1, 2, 3}) {  // of the three launches of one execution
    SCOPED_TRACE(failing);
    Profile profile = free_profile();
    profile.fail_at_launch = failing;
    const auto client = make_simulated_client(profile), sound = make_simulated_client(free_profile());
    LineTraining training(*client), untouched(*sound);
    EXPECT_EQ(
        error_text_of(ErrorCode::kUnavailable, [&] { training.run(11); }),
        "[sim] device \"ideal\" failed in launch " + std::to_string(failing) +
            ", as its profile says (fail_at_launch); its buffers hold the values from before the launch");
    const std::int64_t steps_before = 4 * (failing - 1);
    EXPECT_EQ(training.progress.steps_done.load(), steps_before) << "those of the launches before";
    EXPECT_EQ(training.steps_counted(), steps_before);
    untouched.num_missing_rows = 0;  // the steps before the failure were not the last
    untouched.run(steps_before);
    const std::vector<float> weights = training.weights_now();
    EXPECT_EQ(weights, untouched.weights_now());
    training.num_missing_rows = 0;
    training.run(4);
    untouched.run(4);
    EXPECT_EQ(training.steps_counted(), steps_before + 4) << "the device goes on";
    EXPECT_NE(training.weights_now(), weights);
    EXPECT_EQ(training.weights_now(), untouched.weights_now());
  }
}

TEST(SimulatedDeviceTest, AFailureInTheSecondLaunchOfALaterExecutionKeepsWhatWasDoneBefore) {
  Profile profile = free_profile();
  profile.fail_at_launch = 5;  // the first execution has three launches
  const auto client = make_simulated_client(profile), sound = make_simulated_client(free_profile());
  LineTraining training(*client), untouched(*sound);
  EXPECT_EQ(training.run(11), 11);
  error_text_of(ErrorCode::kUnavailable, [&] { training.run(11); });
  EXPECT_EQ(training.progress.steps_done.load(), 4) << "of the execution that failed";
  EXPECT_EQ(training.steps_counted(), 15U);
  untouched.run(11);
  untouched.num_missing_rows = 0;
  untouched.run(4);
  EXPECT_EQ(training.weights_now(), untouched.weights_now());
}

TEST(SimulatedDeviceTest, AFailureNobodyWaitedForComesWithTheNextRead) {
  Profile profile = free_profile();
  profile.fail_at_launch = 1;
  profile.launch_seconds = 1;  // without a cost it is known at once
  const auto client = make_simulated_client(profile);
  LineTraining training(*client);
  const runtime::Submission submission = training.submit(4);
  error_text_of(ErrorCode::kUnavailable, [&] { training.steps_counted(); });
  EXPECT_EQ(training.steps_counted(), 0U) << "now it is known";
  error_text_of(ErrorCode::kUnavailable, [&] { submission.done.wait(); });
  error_text_of(ErrorCode::kUnavailable, [&] { submission.done.wait(); });
}

TEST(SimulatedDeviceTest, ADeviceThatIsGoneRefusesEverything) {
  Profile profile = free_profile();
  profile.lose_at_launch = 1;
  const auto client = make_simulated_client(profile);
  LineTraining training(*client);
  error_text_of(ErrorCode::kUnavailable, [&] { training.run(1); });
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(
        error_text_of(ErrorCode::kUnavailable, [&] { training.weights_now(); }),
        "[sim] device \"ideal\" is gone, as its profile says (lose_at_launch = 1), and what it held with it");
    error_text_of(ErrorCode::kUnavailable, [&] { training.run(1); });
    const float value = 0;
    error_text_of(ErrorCode::kUnavailable, [&] { training.rate->copy_from_host(&value); });
    error_text_of(ErrorCode::kUnavailable, [&] { (void)client->allocate({DType::kF32, {}}); });
  }
}

TEST(SimulatedDeviceTest, MemoryIsCounted) {
  Profile profile = free_profile();
  profile.memory_bytes = 1000;
  const auto client = make_simulated_client(profile);
  auto most = client->allocate({DType::kF32, {200}});
  EXPECT_EQ(
      error_text_of(ErrorCode::kResourceExhausted, [&] { (void)client->allocate({DType::kF32, {100}}); }),
      "[sim] tensor<100xf32> takes 400 bytes; device \"ideal\" has 1000, of which 800 are taken");
  most.reset();
  EXPECT_NO_THROW(client->allocate({DType::kF32, {100}}));
}

TEST(SimulatedDeviceTest, AProfileCountsTheStepsOfItsLaunches) {
  const auto client = make_simulated_client(free_profile());
  LineTraining training(*client);
  runtime::Profiler profiler;
  profiler.start();
  training.run(7);  // four steps in the first launch, three in the second
  profiler.stop();
  const std::vector<runtime::ProgramProfile> programs = profiler.programs();
  ASSERT_EQ(programs.size(), 1U);
  EXPECT_EQ(programs[0].executions, 2);
  EXPECT_EQ(programs[0].steps, 7);
}

TEST(SimulatedDeviceTest, RowsAndOutputsMayStayOnTheDevice) {
  const auto client = make_simulated_client(free_profile());
  LineTraining from_host(*client), on_device(*client);
  from_host.run(6);
  const auto x = client->allocate({DType::kF32, {kNumRows, kFeatures}}),
             y = client->allocate({DType::kF32, {kNumRows}});
  const auto predictions = client->allocate({DType::kF32, {6, kBatch}}),
             losses = client->allocate({DType::kF32, {6}});
  const runtime::Write writes[] = {{x.get(), on_device.x.data()}, {y.get(), on_device.y.data()}};
  client->write(writes);
  runtime::Buffer* const state[] = {on_device.weights.get(), on_device.counter.get()};
  runtime::Buffer* const fixed[] = {on_device.rate.get()};
  runtime::Buffer* const rows[] = {x.get(), y.get()};
  runtime::Buffer* const outputs[] = {predictions.get(), losses.get()};
  const runtime::TransferStatistics before = client->counts();
  on_device.executable->run({.state = state,
                             .fixed = fixed,
                             .row_buffers = rows,
                             .row_indices = on_device.indices.data(),
                             .num_rows = 6 * kBatch - 1,
                             .output_buffers = outputs},
                            6);
  EXPECT_EQ(client->counts().since(before).executions.bytes, 2 * 8)
      << "only the numbers of steps and rows travel";
  std::vector<float> read(6);
  losses->copy_to_host(read.data());
  EXPECT_EQ(read, from_host.losses);
  EXPECT_EQ(on_device.weights_now(), from_host.weights_now());
}

TEST(SimulatedDeviceTest, BuffersOfOtherClientsAreRefusedByName) {
  const auto first = make_simulated_client(free_profile()), second = make_simulated_client(free_profile());
  LineTraining training(*first);
  const auto x = first->allocate({DType::kF32, {kNumRows, kFeatures}}),
             y = first->allocate({DType::kF32, {kNumRows}}),
             predictions = first->allocate({DType::kF32, {1, kBatch}}),
             losses = first->allocate({DType::kF32, {1}});
  const runtime::Write writes[] = {{x.get(), training.x.data()}, {y.get(), training.y.data()}};
  first->write(writes);
  for (const char* const what :
       {"state buffer 0", "fixed buffer 0", "row argument buffer 1", "output buffer 1", ""}) {
    SCOPED_TRACE(what);
    std::unique_ptr<runtime::Buffer> foreign;
    const auto unless = [&](std::string_view role, runtime::Buffer& own) {
      if (role != what) return &own;
      foreign = second->allocate(own.type());
      return foreign.get();
    };
    runtime::Buffer* const state[] = {unless("state buffer 0", *training.weights), training.counter.get()};
    runtime::Buffer* const fixed[] = {unless("fixed buffer 0", *training.rate)};
    runtime::Buffer* const rows[] = {x.get(), unless("row argument buffer 1", *y)};
    runtime::Buffer* const outputs[] = {predictions.get(), unless("output buffer 1", *losses)};
    const auto run = [&] {
      training.executable->run({.state = state,
                                .fixed = fixed,
                                .row_buffers = rows,
                                .row_indices = training.indices.data(),
                                .num_rows = kBatch,
                                .output_buffers = outputs});
    };
    if (std::string_view(what).empty()) {
      run();
      EXPECT_EQ(training.steps_counted(), 1U);
      continue;
    }
    EXPECT_EQ(error_text_of(ErrorCode::kInvalidArgument, run),
              "[sim:ideal] " + std::string(what) + " of the program belongs to " + second->name() +
                  ", not to " + first->name() + ": copy it through the host");
    EXPECT_EQ(training.steps_counted(), 0U) << "nothing ran";
  }
}

TEST(SimulatedDeviceTest, WritesAndReadsWithABufferOfAnotherClientDoNothing) {
  const auto first = make_simulated_client(free_profile()), second = make_simulated_client(free_profile());
  const auto own = first->allocate({DType::kF32, {}}), foreign = second->allocate({DType::kF32, {}});
  float one = 1, two = 2;
  const runtime::Write write_own[] = {{own.get(), &one}};
  first->write(write_own);
  const runtime::Write writes[] = {{own.get(), &two}, {foreign.get(), &two}};
  const runtime::Read reads[] = {{own.get(), &two}, {foreign.get(), &two}};
  const std::string ending =
      " belongs to " + second->name() + ", not to " + first->name() + ": copy it through the host";
  EXPECT_EQ(error_text_of(ErrorCode::kInvalidArgument, [&] { first->write(writes); }),
            "[sim:ideal] a buffer to write" + ending);
  EXPECT_EQ(error_text_of(ErrorCode::kInvalidArgument, [&] { first->read(reads); }),
            "[sim:ideal] a buffer to read" + ending);
  EXPECT_EQ(two, 2) << "nothing is read before all is checked";
  own->copy_to_host(&two);
  EXPECT_EQ(two, 1) << "nothing is written before all is checked";
}

TEST(SimulatedDeviceTest, ExecutionsOfOneExecutableRunOnManyThreads) {
  const auto client = make_simulated_client(free_profile());
  LineTraining expected(*client), first(*client), second(*client);
  expected.run(11);
  second.executable = first.executable;  // each has state of its own
  std::thread other([&] {
    for (int i = 0; i < 20; ++i) first.run(11);
  });
  for (int i = 0; i < 20; ++i) second.run(11);
  other.join();
  for (int i = 0; i < 19; ++i) expected.run(11);
  EXPECT_EQ(first.weights_now(), expected.weights_now());
  EXPECT_EQ(second.weights_now(), expected.weights_now());
  EXPECT_EQ(first.steps_counted(), 220U);
}

TEST(SimulatedDeviceTest, IsMadeByItsNameAndListsItsProfiles) {
  const auto client = runtime::make_client("sim:call_60ms");
  EXPECT_EQ(client->platform(), "sim:call_60ms");
  EXPECT_EQ(client->devices()[0].type, "TPU");
  EXPECT_EQ(client->devices()[0].kind, "simulated");
  EXPECT_FALSE(client->devices()[0].is_addressable);
  EXPECT_TRUE(client->is_simulated());
  EXPECT_FALSE(runtime::make_client("cpu")->is_simulated());
  const auto cores = runtime::make_client("sim:tpu_8_cores");
  for (const runtime::DeviceInfo& core : cores->devices()) EXPECT_TRUE(core.is_simulated) << core.number;
  EXPECT_NE(client->description().find("simulated TPU"), std::string::npos);
  error_text_of(ErrorCode::kNotFound, [] { (void)runtime::make_client("sim:none"); });
  error_text_of(ErrorCode::kInvalidArgument, [] { (void)runtime::make_client("sim"); });
  EXPECT_EQ(known_arguments().size(), built_in_profiles().size());
}

}  // namespace
}  // namespace cornu::inline v0::backends::sim
