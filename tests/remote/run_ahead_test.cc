/// Executions that are submitted to a worker before the replies to earlier ones have arrived.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"
#include "cornu/ops/parse.h"
#include "cornu/runtime/async_executable.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/tensor/device.h"
#include "tests/remote/link.h"
#include "tests/remote/training_test_support.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// A program that adds 1 to a number, on a client.
struct Counter {
  explicit Counter(std::shared_ptr<runtime::Client> made, float first = 0) : client(std::move(made)) {
    executable = client->compile({.step = &parsed.entry(), .arguments = {runtime::ArgumentKind::kState}});
    number->copy_from_host(&first);
    async = runtime::async_executable(executable.get());
  }
  /// Runs one execution, which also tells how long a step takes.
  void run() { executable->run({.state = states}); }
  runtime::Event submit(runtime::Progress* progress = nullptr) {
    const runtime::Replica replica{.state = states};
    const runtime::Submission submission = async->submit({.replicas = {&replica, 1}, .progress = progress});
    last_steps = submission.num_steps;
    return submission.done;
  }
  float value() const {
    float read = 0;
    number->copy_to_host(&read);
    return read;
  }
  void set(float value) { number->copy_from_host(&value); }

  std::shared_ptr<runtime::Client> client;
  ir::ParsedModule parsed = ops::parse_stablehlo(R"(
  func.func @main(%n: tensor<f32>) -> tensor<f32> {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %next = stablehlo.add %n, %one : tensor<f32>
    return %next : tensor<f32>
  })");
  std::unique_ptr<runtime::Executable> executable;
  std::unique_ptr<runtime::Buffer> number = client->allocate({DType::kF32, {}});
  runtime::Buffer* states[1] = {number.get()};
  runtime::AsyncExecutable* async = nullptr;
  std::int64_t last_steps = 0;
};

TEST(RunAheadTest, ManyExecutionsTakeAboutOneRoundTrip) {
  const WorkerProcess worker({"--threads", "1"});
  Link link(worker.port());
  Counter counter(runtime::make_client(link.url()));
  ASSERT_NE(counter.async, nullptr);
  EXPECT_FALSE(counter.async->is_short(1)) << "not known yet";
  for (int i = 0; i < 3; ++i) counter.run();
  EXPECT_TRUE(counter.async->is_short(1));
  EXPECT_FALSE(counter.async->is_short(std::int64_t{1} << 40));
  link.set_delay(100ms);
  const auto start = Clock::now();
  std::vector<runtime::Event> events;
  for (int i = 0; i < 100; ++i) events.push_back(counter.submit());
  EXPECT_FALSE(events.front().is_ready());
  EXPECT_LT(Clock::now() - start, 200ms) << "none is waited for";
  EXPECT_EQ(counter.value(), 103) << "a read sees all of them";
  for (const runtime::Event& event : events) EXPECT_TRUE(event.is_ready());
  EXPECT_LT(Clock::now() - start, 100 * 200ms / 10);
  EXPECT_EQ(counter.client->counts().executions.calls, 103);
  EXPECT_EQ(counter.client->counts().reads.calls, 0) << "the value came with a reply";
}

TEST(RunAheadTest, MoreThanTheLimitAreWaitedForAndAllRun) {
  const WorkerProcess worker({"--threads", "1"});
  Counter counter(runtime::make_client(worker.url()));
  counter.run();
  std::vector<runtime::Event> events;
  for (int i = 0; i < 2000; ++i) events.push_back(counter.submit());
  EXPECT_EQ(counter.value(), 2001);
}

TEST(RunAheadTest, WritesTakeEffectBetweenTheExecutionsAroundThem) {
  const WorkerProcess worker({"--threads", "1"});
  Link link(worker.port());
  Counter counter(runtime::make_client(link.url()));
  counter.run();
  link.set_delay(20ms);
  std::vector<runtime::Event> events;
  for (int i = 0; i < 3; ++i) events.push_back(counter.submit());
  counter.set(100);
  EXPECT_FALSE(events.back().is_ready()) << "a small write waits for nothing";
  EXPECT_EQ(counter.value(), 100);
  events.back().wait();
  EXPECT_EQ(counter.value(), 100) << "a reply does not bring back what was there before";
  for (int i = 0; i < 2; ++i) events.push_back(counter.submit());
  EXPECT_EQ(counter.value(), 102);
}

TEST(RunAheadTest, ABufferMayGoBeforeTheReplyArrives) {
  const WorkerProcess worker({"--threads", "1"});
  Link link(worker.port());
  Counter counter(runtime::make_client(link.url()));
  counter.run();
  link.set_delay(20ms);
  const runtime::Event event = counter.submit();
  counter.number.reset();
  counter.executable.reset();
  event.wait();
}

TEST(RunAheadTest, ProgramsOfOneClientTakeTheirTurns) {
  const WorkerProcess worker({"--threads", "1"});
  const std::shared_ptr<runtime::Client> client = runtime::make_client(worker.url());
  Counter one(client), other(client, 10);
  one.run();
  other.run();
  std::vector<runtime::Event> events;
  for (int i = 0; i < 10; ++i) {
    events.push_back(one.submit());
    events.push_back(other.submit());
  }
  one.run();
  EXPECT_EQ(one.value(), 12);
  EXPECT_EQ(other.value(), 21);
}

TEST(RunAheadTest, AStopEndsNoExecutionThatWasSubmitted) {
  const WorkerProcess worker({"--threads", "1"});
  Counter counter(runtime::make_client(worker.url()));
  counter.run();
  runtime::Progress progress;
  const runtime::Event first = counter.submit(&progress);
  EXPECT_EQ(counter.last_steps, 1);
  progress.stop = true;
  (void)counter.submit(&progress);
  EXPECT_EQ(counter.last_steps, 0);
  first.wait();
  EXPECT_EQ(progress.steps_done.load(), 1);
  EXPECT_EQ(counter.value(), 2);
}

TEST(RunAheadTest, AFailureIsThatOfTheFirstAndTheOthersChangeNothing) {
  const WorkerProcess worker({"--threads", "1", "--devices", "sim:ideal,clock=virtual,fail_at_launch=4"});
  Counter counter(runtime::make_client(worker.url()));
  counter.run();
  std::vector<runtime::Event> events;
  runtime::Progress progress[6];
  for (runtime::Progress& one : progress) {
    try {
      events.push_back(counter.submit(&one));
    } catch (const Error&) {
      break;  // a later call may report it
    }
  }
  ASSERT_GE(events.size(), 3U);
  events[0].wait();
  events[1].wait();
  for (std::size_t i = 2; i < events.size(); ++i)
    EXPECT_NE(error_text_of([&] { events[i].wait(); }).find("failed in launch 4"), std::string::npos) << i;
  EXPECT_EQ(progress[1].steps_done.load(), 1);
  EXPECT_EQ(progress[2].steps_done.load(), 0);
  EXPECT_EQ(counter.value(), 3) << "the failure was reported";
  counter.set(10);
  for (int i = 0; i < 3; ++i) events.push_back(counter.submit());
  EXPECT_EQ(counter.value(), 13) << "the client stays usable";
}

TEST(RunAheadTest, AReadReportsAFailureThatNobodyWaitedFor) {
  const WorkerProcess worker({"--threads", "1", "--devices", "sim:ideal,clock=virtual,fail_at_launch=2"});
  Counter counter(runtime::make_client(worker.url()));
  counter.run();
  const runtime::Event failed = counter.submit();
  EXPECT_NE(error_text_of([&] { (void)counter.value(); }).find("failed in launch 2"), std::string::npos);
  EXPECT_EQ(counter.value(), 1);
  EXPECT_NE(error_text_of([&] { failed.wait(); }).find("failed in launch 2"), std::string::npos);
}

TEST(RunAheadTest, AWorkerThatIsKilledFailsAllAndTheClientConnectsAgain) {
  ReturningWorker returning({"--threads", "1"});
  Counter counter(runtime::make_client(returning.worker->url(",keep_alive=2")));
  counter.run();
  returning.worker->freeze();
  std::vector<runtime::Event> events;
  for (int i = 0; i < 5; ++i) events.push_back(counter.submit());
  const auto start = Clock::now();
  returning.worker->end(SIGKILL);
  for (const runtime::Event& event : events) {
    const Error error = error_of([&] { event.wait(); });
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
  }
  EXPECT_LT(Clock::now() - start, 5s);
  returning.start_again();
  counter.client->distant()->reconnect(counter.client->distant()->generation());
  counter.set(5);
  for (int i = 0; i < 5; ++i) events.push_back(counter.submit());
  EXPECT_EQ(counter.value(), 10);
}

TEST(RunAheadTest, AWorkerThatEndsIsNotHeldUpByAnIdleStream) {
  WorkerProcess worker({"--threads", "1"});
  Counter counter(runtime::make_client(worker.url()));
  counter.run();
  counter.submit().wait();
  const auto start = Clock::now();
  EXPECT_EQ(worker.end(SIGTERM), 0) << worker.output();
  EXPECT_LT(Clock::now() - start, 5s);
  const Error error = error_of([&] { counter.submit().wait(); });
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
}

/// Trains ten epochs of eight steps, each with a validation of two, through a link, and compares the bits with
/// those of this process. Returns the number of executions.
std::int64_t train_ten_epochs_with_few_round_trips(const keras::StepsPerExecution& steps) {
  const keras::FitOptions options{.batch_size = 8, .epochs = 10, .verbose = 0, .validation_split = 0.2};
  const Result here = train(options, 1);
  const WorkerProcess worker({"--threads", "1"});
  Link link(worker.port());
  const Connected remote(link.url());
  const DeviceScope scope(remote.name);
  link.set_delay(30ms);
  const auto start = Clock::now();
  expect_equal(train(options, steps), here);
  // Those of the beginning, and one for the last epoch.
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count() / 0.06, 30);
  return remote.client->counts().executions.calls;
}

TEST(RunAheadTest, ATrainingOfSingleStepsPaysFewRoundTripsAndHasTheSameBits) {
  EXPECT_EQ(train_ten_epochs_with_few_round_trips(1), 10 * (8 + 2));
}

TEST(RunAheadTest, AutoWaitsForNoEpochEither) {
  EXPECT_EQ(train_ten_epochs_with_few_round_trips("auto"), 10 * (1 + 1)) << "the first number is 8";
}

/// The lines of a progress bar, without their times.
struct Lines {
  keras::callbacks::ProgbarLogger logger() {
    return keras::callbacks::ProgbarLogger(
        {.write = [this](std::string_view written) { text += written; }, .now = [] { return 0.0; }});
  }
  std::string text;
};

TEST(RunAheadTest, LateEpochsAreReportedAsOthers) {
  keras::FitOptions options{.batch_size = 8, .epochs = 12, .verbose = 2, .validation_split = 0.2};
  options.validation_freq = 3;
  Lines here, there;
  auto show_here = here.logger(), show_there = there.logger();
  options.callbacks = {&show_here};
  const Result local = train(options, 1);
  const WorkerProcess worker({"--threads", "1"});
  Link link(worker.port());
  const Connected remote(link.url());
  const DeviceScope scope(remote.name);
  link.set_delay(10ms);
  options.callbacks = {&show_there};
  expect_equal(train(options, 1), local);
  EXPECT_EQ(there.text, here.text);
  EXPECT_NE(here.text.find("Epoch 12/12"), std::string::npos) << here.text;
}

TEST(RunAheadTest, AFailureInALateEpochIsThatEpochs) {
  // Eight steps of training and two of validation in an epoch: launch 34 is the fourth step of epoch 4.
  for (const auto& [launch, told] :
       {std::pair(34, "in epoch 4, step 4 of 8"), std::pair(29, "failed in launch 29")}) {
    const WorkerProcess worker(
        {"--threads", "1", "--devices", fmt::format("sim:ideal,clock=virtual,fail_at_launch={}", launch)});
    Link link(worker.port());
    const Connected remote(link.url());
    const DeviceScope scope(remote.name);
    keras::Sequential model = make_regression(1);
    keras::FitOptions options{.batch_size = 8, .epochs = 1, .verbose = 2, .validation_split = 0.2};
    Lines lines;
    auto show = lines.logger();
    options.callbacks = {&show};
    fit_regression(model, options);  // ten launches, which tell how long a step takes
    link.set_delay(30ms);
    options.epochs = 8;
    options.initial_epoch = 1;
    const Error error = error_of([&] { fit_regression(model, options); });
    EXPECT_NE(std::string(error.what()).find(told), std::string::npos) << error.what();
    const bool is_of_training = launch == 34;
    EXPECT_EQ(model.optimizer().iterations().item<std::int64_t>(), is_of_training ? 27 : 24);
    EXPECT_EQ(lines.text.find("Epoch 5/8"), std::string::npos) << lines.text;
    EXPECT_EQ(lines.text.find("Epoch 4/8") != std::string::npos, is_of_training) << lines.text;
  }
}

TEST(RunAheadTest, AStopBetweenLateEpochsEndsAfterTheEpochsThatWereSubmitted) {
  const WorkerProcess worker({"--threads", "1"});
  Link link(worker.port());
  const Connected remote(link.url());
  const DeviceScope scope(remote.name);
  keras::Sequential model = make_regression(1);
  fit_regression(model, {.batch_size = 8, .epochs = 1, .verbose = 0});
  link.set_delay(30ms);
  std::promise<void> second_epoch;
  keras::callbacks::ProgbarLogger show({.write =
                                            [&](std::string_view written) {
                                              if (written.find("Epoch 2/") != std::string_view::npos)
                                                second_epoch.set_value();
                                            },
                                        .now = [] { return 0.0; }});
  std::jthread stopper([&] {
    second_epoch.get_future().wait_for(60s);
    std::this_thread::sleep_for(50ms);
    model.set_stop_training(true);
  });
  const Result stopped =
      fit_regression(model, {.batch_size = 8, .epochs = 100000, .verbose = 2, .callbacks = {&show}});
  const std::int64_t steps = model.optimizer().iterations().item<std::int64_t>() - 10;
  EXPECT_EQ(stopped.history.num_steps, steps);
  EXPECT_GE(steps, 10);
  EXPECT_EQ(stopped.history.epoch.size(), static_cast<std::size_t>((steps + 9) / 10));
  const keras::StateValues state = model.training_state();
  EXPECT_EQ(state.at("run/epoch").item<std::int64_t>() * 10 + state.at("run/step").item<std::int64_t>(),
            steps);
}

/// A worker behind a link, and a scope of its device.
struct LinkedDevice {
  explicit LinkedDevice(std::vector<std::string> arguments = {"--threads", "1"})
      : worker(std::move(arguments)) {}

  WorkerProcess worker;
  Link link{worker.port()};
  Connected remote{link.url()};
  DeviceScope scope{remote.name};
};

/// A function that adds to a variable and returns three times the sum.
auto adder_of(Variable total) {
  return function([total = std::move(total)](const Tensor& x) mutable {
    total.assign_add(x);
    return 3.0F * total.value();
  });
}

TEST(RunAheadTest, CallsOfAFunctionPayFewRoundTrips) {
  LinkedDevice there;
  const Variable total(Tensor(0.0F));
  auto add = adder_of(total);
  for (int i = 0; i < 3; ++i) add(Tensor(1.0F));
  EXPECT_EQ(total.value().item<float>(), 3);
  there.link.set_delay(30ms);
  const auto start = Clock::now();
  std::vector<Tensor> results;
  for (int i = 0; i < 100; ++i) results.push_back(add(Tensor(1.0F)));
  EXPECT_LT(Clock::now() - start, 60ms * 10) << "none is waited for";
  EXPECT_EQ(results[49].item<float>(), 3 * 53);
  EXPECT_EQ(results[99].item<float>(), 3 * 103);
  EXPECT_EQ(total.value().item<float>(), 103);
  EXPECT_LT(Clock::now() - start, 60ms * 30);
}

TEST(RunAheadTest, ResultsOfCallsAreArgumentsOfTheNext) {
  LinkedDevice there;
  auto next = function([](const Tensor& x) { return x * 2.0F + 1.0F; });
  Tensor x = next(next(Tensor(0.0F)));
  there.link.set_delay(30ms);
  const auto start = Clock::now();
  for (int i = 0; i < 18; ++i) x = next(x);
  x = ops::maximum(x, Tensor(0.0F));
  EXPECT_EQ(x.item<float>(), (1 << 20) - 1);
  EXPECT_LT(Clock::now() - start, 60ms * 15);
}

TEST(RunAheadTest, ACallThatFailsIsReportedOnceAndItsResultsAreErrors) {
  LinkedDevice there({"--threads", "1", "--devices", "sim:ideal,clock=virtual,fail_at_launch=14"});
  const Variable total(Tensor(0.0F));
  auto add = adder_of(total);
  for (int i = 0; i < 3; ++i) add(Tensor(1.0F));
  there.link.set_delay(30ms);
  std::vector<Tensor> results;
  int num_errors = 0;
  const auto call = [&] {
    try {
      results.push_back(add(Tensor(1.0F)));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
      ++num_errors;
    }
  };
  for (int i = 0; i < 25; ++i) call();
  there.link.set_delay(0ms);
  for (const auto begin = Clock::now(); num_errors == 0 && Clock::now() < begin + 20s; call())
    std::this_thread::sleep_for(2ms);
  for (int i = 0; i < 5; ++i) call();
  EXPECT_EQ(num_errors, 1);
  int num_right = 0, num_failed = 0;
  for (const Tensor& result : results) {
    try {
      result.item<float>();
      ++num_right;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
      ++num_failed;
    }
  }
  EXPECT_GE(num_failed, 1);
  EXPECT_EQ(total.value().item<float>(), 3 + num_right) << "calls that failed changed nothing";
}

TEST(RunAheadTest, AFunctionMayGoBeforeItsCallsAreDone) {
  LinkedDevice there;
  Variable total(Tensor(0.0F));
  {
    auto add = function([&] { total.assign_add(Tensor(1.0F)); });
    for (int i = 0; i < 3; ++i) add();
    there.link.set_delay(20ms);
    for (int i = 0; i < 3; ++i) add();
  }
  EXPECT_EQ(total.value().item<float>(), 6);
}

TEST(RunAheadTest, PredictionsOfManyBatchesPayFewRoundTrips) {
  keras::Sequential model = make_regression(1);
  std::vector<float> values(3 * 203);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.01F * static_cast<float>(i % 97);
  const Tensor x = Tensor::from<float>({203, 3}, values);
  const std::vector<float> here = model.predict(x, {.batch_size = 4, .verbose = 0}).to_vector<float>();
  const WorkerProcess worker({"--threads", "1"});
  Link link(worker.port());
  const Connected remote(link.url());
  const DeviceScope scope(remote.name);
  keras::Sequential there = make_regression(1);
  link.set_delay(30ms);
  const auto start = Clock::now();
  EXPECT_EQ(there.predict(x, {.batch_size = 4, .verbose = 0}).to_vector<float>(), here);
  EXPECT_EQ(remote.client->counts().executions.calls, 51);
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count() / 0.06, 30);
}

TEST(RunAheadTest, AFailureInATrainingNamesItsStepAndTrainingGoesOnFromThere) {
  const WorkerProcess worker({"--threads", "1", "--devices", "sim:ideal,clock=virtual,fail_at_launch=14"});
  Link link(worker.port());
  const Connected remote(link.url());
  const DeviceScope scope(remote.name);
  link.set_delay(5ms);
  keras::Sequential model = make_regression(1);
  const keras::FitOptions options{.batch_size = 8, .epochs = 2, .verbose = 0};
  const Error error = error_of([&] { fit_regression(model, options); });
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
  EXPECT_NE(std::string(error.what()).find("in epoch 2, step 4 of 10"), std::string::npos) << error.what();
  EXPECT_EQ(model.optimizer().iterations().item<std::int64_t>(), 13) << "the later ones changed nothing";
  EXPECT_NO_THROW(fit_regression(model, options));
}

TEST(RunAheadTest, ATrainingThatIsStoppedHasDoneTheStepsThatItReports) {
  const WorkerProcess worker({"--threads", "1"});
  Link link(worker.port());
  const Connected remote(link.url());
  const DeviceScope scope(remote.name);
  link.set_delay(15ms);
  keras::Sequential model = make_regression(1);
  std::int64_t num_ended = 0;
  keras::callbacks::LambdaCallback counts(
      {.on_train_batch_end = [&](const keras::callbacks::BatchRange& ran, keras::LazyLogs&) {
        num_ended += ran.count;
        if (num_ended == 27) model.set_stop_training(true);
      }});
  keras::FitOptions options{.batch_size = 8, .epochs = 20, .verbose = 0};
  options.callbacks = {&counts};
  fit_regression(model, options);
  EXPECT_EQ(model.optimizer().iterations().item<std::int64_t>(), num_ended);
}

TEST(RunAheadTest, ATrainingWithBackupsGoesOnToTheBitAfterTheWorkerWasKilled) {
  keras::FitOptions options{.batch_size = 8, .epochs = 6, .verbose = 0};
  const Result undisturbed = train(options, 1);
  ReturningWorker returning({"--threads", "1"});
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  options.backup = {.every_steps = 7, .first_wait_seconds = 0.02, .longest_wait_seconds = 0.2};
  After killer({33}, [&] { returning.kill_and_start_again(); });
  options.callbacks = {&killer};
  expect_equal(train(options, 1), undisturbed);
}

}  // namespace
}  // namespace cornu::inline v0
