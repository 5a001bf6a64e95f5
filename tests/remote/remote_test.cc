#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <future>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/backends/remote/backend.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"
#include "cornu/ops/parse.h"
#include "cornu/runtime/async_executable.h"
#include "cornu/runtime/profiler.h"
#include "cornu/runtime/trace_test_support.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "tests/remote/training_test_support.h"
#include "tests/remote/worker_process.h"

// A worker in a process of its own, and clients that train on it.
namespace cornu::inline v0 {
namespace {

using Clock = std::chrono::steady_clock;

struct Data {
  Tensor x, y;
  Data() {
    std::vector<float> values(300);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i % 17);
    x = Tensor::from<float>({100, 3}, values);
    y = Tensor::from<float>({100, 1}, std::vector<float>(values.begin(), values.begin() + 100));
  }
};

keras::Sequential small_model() {
  set_random_seed(3);
  keras::Sequential model({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                           keras::layers::Dropout({.rate = 0.25}), keras::layers::Dense({.units = 1})});
  model.build({keras::kUnknown, 3});
  return model;
}

keras::CompileOptions options() {
  return {.optimizer = "adam", .loss = "mse", .steps_per_execution = 4, .seed = 5};
}

TEST(RemoteTest, AModelTrainsThereToTheBitsOfTheCpu) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  const Data data;
  keras::Sequential here = small_model(), there = small_model();
  here.compile(options());
  const auto local = here.fit(data.x, data.y, {.batch_size = 8, .epochs = 3, .verbose = 0});
  const runtime::TransferStatistics before = remote.client->counts();
  const DeviceScope scope(remote.name);
  there.compile(options());
  const auto distant = there.fit(data.x, data.y, {.batch_size = 8, .epochs = 3, .verbose = 0});
  EXPECT_EQ(distant["loss"], local["loss"]);
  EXPECT_EQ(remote.client->counts().since(before).executions.items, 3 * 13) << "13 steps an epoch";
  EXPECT_EQ(there.predict(data.x, {.verbose = 0})[0].to_vector<float>(),
            here.predict(data.x, {.verbose = 0})[0].to_vector<float>());
}

/// Batches of sequences of two lengths, one of which is not full.
data::Dataset batches_of_sequences() {
  return data::Dataset::range(9).map([](std::int64_t n) {
    const std::int64_t rows = n == 7 ? 2 : 4, length = n % 4 < 2 ? 5 : 3;
    std::vector<float> x(static_cast<std::size_t>(rows * length * 3));
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = std::sin(0.1f * static_cast<float>(i * i) + static_cast<float>(n));
    return std::pair(Tensor::adopt({rows, length, 3}, std::move(x)),
                     Tensor::adopt({rows, 1}, std::vector<float>(static_cast<std::size_t>(rows),
                                                                 static_cast<float>(n % 3))));
  });
}

TEST(RemoteTest, BatchesOfSeveralShapesTrainThereToTheBitsOfTheCpu) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  const auto make = [] {
    set_random_seed(3);
    keras::Sequential model({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                             keras::layers::Dropout({.rate = 0.25}), keras::layers::GlobalAveragePooling1D(),
                             keras::layers::Dense({.units = 1})});
    model.build({keras::kUnknown, 5, 3});
    return model;
  };
  keras::Sequential here = make(), there = make();
  here.compile(options());
  const data::Dataset batches = batches_of_sequences();
  const auto local = here.fit(batches, {.epochs = 3, .verbose = 0});
  const runtime::TransferStatistics before = remote.client->counts();
  const DeviceScope scope(remote.name);
  there.compile(options());
  const auto distant = there.fit(batches, {.epochs = 3, .verbose = 0});
  EXPECT_EQ(distant["loss"], local["loss"]);
  const runtime::TransferStatistics calls = remote.client->counts().since(before);
  EXPECT_EQ(calls.executions.items, 3 * 9) << "9 steps an epoch";
  EXPECT_EQ(calls.executions.calls, 3 * 5) << "of two steps and two, the last by itself";
  EXPECT_EQ(there.predict(batches, {.verbose = 0}).to_vector<float>(),
            here.predict(batches, {.verbose = 0}).to_vector<float>());
}

TEST(RemoteTest, RowsThatAreManyGoWithTheirExecution) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  std::vector<float> values(std::size_t{64} * 1024);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.001F * static_cast<float>(i % 97);
  const Tensor x = Tensor::from<float>({64, 1024}, values);
  const auto losses = [&] {
    set_random_seed(3);
    keras::Sequential model({keras::layers::Dense({.units = 1})});
    model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 2});
    return model.fit(x, Tensor::from<float>({64, 1}, std::vector<float>(64, 1.0F)),
                     {.batch_size = 32, .verbose = 0, .shuffle = false})["loss"];
  };
  const std::vector<double> expected = losses();
  const runtime::TransferStatistics before = remote.client->counts();
  const DeviceScope scope(remote.name);
  EXPECT_EQ(losses(), expected);
  EXPECT_GE(remote.client->counts().since(before).executions.bytes, 64 * 1024 * 4);
}

TEST(RemoteTest, OperationsAndFunctionsRunThereAndStayThere) {
  const WorkerProcess worker;
  const Connected remote(worker.url("/CPU:0"));
  const DeviceScope scope(remote.name);
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(ops::matmul(x, x).to_vector<float>(), (std::vector<float>{7, 10, 15, 22}));
  const auto twice = function([](const Tensor& value) { return value * 2.0; });
  EXPECT_EQ(twice(twice(x)).to_vector<float>(), (std::vector<float>{4, 8, 12, 16}));
}

TEST(RemoteTest, LargeBuffersGoInPieces) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  const std::size_t count = 20'000'003;  // 80 MB: twenty pieces
  std::vector<float> values(count), back(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 1000003);
  const auto buffer = remote.client->allocate({DType::kF32, {static_cast<std::int64_t>(count)}});
  buffer->copy_from_host(values.data());
  buffer->copy_to_host(back.data());
  EXPECT_TRUE(back == values);  // too long to be printed
}

TEST(RemoteTest, AStepThatIsMoreThanAMessageGoesInPieces) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  constexpr std::int64_t kColumns = 5'000'000;  // four rows are 80 MB
  std::vector<float> values(6 * kColumns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 1000003) - 1000;
  const Tensor x = Tensor::from<float>({6, kColumns}, values);
  const DeviceScope scope(remote.name);
  keras::Sequential model({keras::layers::Activation({.activation = "relu"})});
  const Tensor result = model.predict(x, {.batch_size = 4, .verbose = 0});
  for (float& value : values) value = std::max(value, 0.0F);
  EXPECT_TRUE(result.to_vector<float>() == values);  // too long to be printed
}

TEST(RemoteTest, ARunSendsWhatIsUsedAgainOnceAndReadsNothing) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  const Data data;
  const DeviceScope scope(remote.name);
  keras::Sequential model = small_model();
  keras::CompileOptions compiled = options();
  compiled.metrics = {"mae"};
  compiled.steps_per_execution = 13;
  model.compile(compiled);
  const auto fit = [&](std::int64_t epochs) {
    const runtime::TransferStatistics before = remote.client->counts();
    model.fit(data.x, data.y,
              {.batch_size = 8, .epochs = epochs, .verbose = 0, .validation_data = {data.x, data.y}});
    return remote.client->counts().since(before);
  };
  fit(1);  // compiles, and moves the weights
  const runtime::TransferStatistics few = fit(3), many = fit(13);
  EXPECT_EQ(many.executions.calls - few.executions.calls, 2 * 10) << "training and validation";
  EXPECT_EQ(many.reads.calls, few.reads.calls) << "logs come with executions";
  EXPECT_EQ(many.writes.calls, few.writes.calls) << "what is reset goes with executions";
  EXPECT_EQ(few.writes.calls, 2) << "the rows for training and for validation";
  EXPECT_LT(many.executions.bytes - few.executions.bytes, 20 * 1000) << "no rows";
}

TEST(RemoteTest, AWorkerThatIsKilledIsAnErrorWithinTheKeepAlive) {
  WorkerProcess worker;
  const Connected remote(worker.url());
  const auto buffer = remote.client->allocate({DType::kF32, {400}});
  const std::vector<float> values(400);
  buffer->copy_from_host(values.data());
  const std::string port = worker.port();
  worker.end(SIGKILL);
  const auto start = Clock::now();
  EXPECT_NE(error_text_of([&] { buffer->copy_from_host(values.data()); }).find("does not answer"),
            std::string::npos);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(6));
  // One that is restarted does not know the session.
  const WorkerProcess another({}, port);
  std::string error;
  for (int i = 0; i < 50 && error.find("no such session") == std::string::npos; ++i) {
    error = error_text_of([&] { buffer->copy_from_host(values.data()); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_NE(error.find("no such session"), std::string::npos) << error;
}

TEST(RemoteTest, MemoryIsTheCallersAgainWhenAWorkerHangsInALargeTransfer) {
  WorkerProcess worker;
  const Connected remote(worker.url(",keep_alive=1"));
  const std::size_t count = 16 << 20;
  const auto buffer = remote.client->allocate({DType::kF32, {static_cast<std::int64_t>(count)}});
  auto values = std::make_unique<std::vector<float>>(count, 1.0F);
  buffer->copy_from_host(values->data());
  worker.freeze();
  const auto start = Clock::now();
  EXPECT_NE(error_text_of([&] { buffer->copy_from_host(values->data()); }).find("does not answer"),
            std::string::npos);
  values.reset();  // gRPC reads none of it any more
  EXPECT_NE(
      error_text_of([&] { buffer->copy_to_host(std::vector<float>(count).data()); }).find("does not answer"),
      std::string::npos);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(6));
  worker.signal(SIGCONT);
}

TEST(RemoteTest, AWorkerThatHangsIsAnErrorWithinTheKeepAlive) {
  WorkerProcess worker;
  const Connected remote(worker.url(",keep_alive=1"));
  const auto buffer = remote.client->allocate({DType::kF32, {400}});
  const std::vector<float> values(400);
  buffer->copy_from_host(values.data());
  worker.freeze();
  const auto start = Clock::now();
  EXPECT_NE(error_text_of([&] { buffer->copy_from_host(values.data()); }).find("does not answer"),
            std::string::npos);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(3));
  worker.signal(SIGCONT);
}

TEST(RemoteTest, LimitsOfMemoryAndClientsAreKept) {
  const WorkerProcess worker({"--memory-limit", "1000", "--max-clients", "1"});
  const Connected remote(worker.url());
  EXPECT_NE(error_text_of([&] { runtime::make_client(worker.url()); }).find("as many as it takes"),
            std::string::npos);
  const std::vector<float> values(240);
  auto first = remote.client->allocate({DType::kF32, {240}});
  first->copy_from_host(values.data());
  const auto second = remote.client->allocate({DType::kF32, {240}});
  EXPECT_NE(error_text_of([&] { second->copy_from_host(values.data()); }).find("960 are taken"),
            std::string::npos);
  first.reset();
  EXPECT_EQ(error_text_of([&] { second->copy_from_host(values.data()); }), "no error")
      << "what is released is free";
}

TEST(RemoteTest, ASmallValueThatIsDroppedBeforeItIsSentKeepsNoOtherBuffers) {
  const WorkerProcess worker({"--memory-limit", "1000000"});
  const Connected remote(worker.url());
  const std::vector<float> values(100'000);
  for (int i = 0; i < 5; ++i) {
    const auto large = remote.client->allocate({DType::kF32, {100'000}}),
               small = remote.client->allocate({DType::kF32, {}});
    EXPECT_EQ(error_text_of([&] { large->copy_from_host(values.data()); }), "no error") << i;
    small->copy_from_host(values.data());
  }
}

TEST(RemoteTest, WhatIsReleasedAndWrittenIsThereBeforeALargeExecution) {
  const WorkerProcess worker({"--memory-limit", "4000000", "--threads", "1"});
  const std::shared_ptr<runtime::Client> client = runtime::make_client(worker.url());
  const ir::ParsedModule parsed = ops::parse_stablehlo(R"(
  func.func @main(%n: tensor<f32>, %x: tensor<500x600xf32>) -> tensor<f32> {
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<500x600xf32>, tensor<f32>) -> tensor<f32>
    %more = stablehlo.add %n, %one : tensor<f32>
    %next = stablehlo.add %more, %sum : tensor<f32>
    return %next : tensor<f32>
  })");
  const auto executable = client->compile(
      {.step = &parsed.entry(), .arguments = {runtime::ArgumentKind::kState, runtime::ArgumentKind::kRows}});
  const auto number = client->allocate({DType::kF32, {}});
  runtime::Buffer* const states[] = {number.get()};
  const std::vector<float> x(500 * 600);
  std::vector<std::int64_t> indices(500);
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(x.data())};
  const auto set = [&](float value) { number->copy_from_host(&value); };
  runtime::AsyncExecutable* const async = runtime::async_executable(executable.get());
  const auto value_after_step = [&](bool is_ahead) {
    const runtime::Replica replica{
        .state = states, .rows = rows, .row_indices = indices.data(), .num_rows = 500};
    if (is_ahead)
      async->submit({.replicas = {&replica, 1}}).done.wait();
    else
      executable->run(replica);
    float value = 0;
    number->copy_to_host(&value);
    return value;
  };
  std::vector<std::unique_ptr<runtime::Buffer>> all;
  const auto take_all = [&] {
    while (true) {
      auto one = client->allocate({DType::kF32, {64 << 10}});
      one->copy_from_host(x.data());
      all.push_back(std::move(one));
    }
  };
  set(5);
  EXPECT_EQ(value_after_step(false), 6);
  for (const bool is_ahead : {false, true}) {
    EXPECT_NE(error_text_of(take_all).find("that the worker lends"), std::string::npos);
    set(7);
    const std::string refusal = error_text_of([&] { value_after_step(is_ahead); });
    EXPECT_NE(refusal.find("a decoded message"), std::string::npos) << refusal;
    all.clear();
    EXPECT_EQ(value_after_step(is_ahead), 8)
        << "what was written before the refusal, in memory that is free again";
  }
}

TEST(RemoteTest, AddressesToListenOnAndLimitsAreChecked) {
  for (const char* listen :
       {"127.0.0.1", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:abc", ":0"}) {
    backends::remote::WorkerOptions options;
    options.listen = listen;
    const std::string said = error_text_of([&] { backends::remote::run_worker(options); });
    EXPECT_NE(said.find("--listen is HOST:PORT with a port from 1 to 65535"), std::string::npos) << said;
    EXPECT_NE(said.find(fmt::format("got \"{}\"", listen)), std::string::npos) << said;
  }
  std::string said = "it started";
  try {
    const WorkerProcess worker({"--memory-limit", "-1"});
  } catch (const std::runtime_error& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("must be 0 or more bytes; got -1"), std::string::npos) << said;
}

TEST(RemoteTest, DevicesAreCalledInUpperOrLowerCase) {
  const WorkerProcess worker({"--devices", "cpu,sim:ideal"});
  for (const char* name : {"/cpu", "/CPU", "/cpu:0", "/0"})
    EXPECT_EQ(runtime::make_client(worker.url(name))->devices()[0].type, "CPU") << name;
  EXPECT_EQ(runtime::make_client(worker.url("/gpu"))->devices()[0].type, "GPU");
  EXPECT_NE(error_text_of([&] { runtime::make_client(worker.url("/cpux")); }).find("no device \"cpux\""),
            std::string::npos);
}

TEST(RemoteTest, ASimulatedDeviceIsCalledSoAndARealOneIsNot) {
  const WorkerProcess worker({"--devices", "cpu,sim:ideal"});
  EXPECT_FALSE(runtime::make_client(worker.url("/0"))->is_simulated());
  EXPECT_TRUE(runtime::make_client(worker.url("/1"))->is_simulated());
  const std::vector<runtime::DeviceInfo> devices = backends::remote::worker_devices("//" + worker.address());
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_FALSE(devices[0].is_simulated);
  EXPECT_TRUE(devices[1].is_simulated);
}

TEST(RemoteTest, AClientThatMeasuresGetsTheWorkersProfile) {
  const WorkerProcess worker({"--threads", "2"});
  const Connected remote(worker.url());
  const Data data;
  const DeviceScope scope(remote.name);
  keras::Sequential model = small_model();
  model.compile(options());
  const auto fit = [&] { model.fit(data.x, data.y, {.batch_size = 8, .epochs = 2, .verbose = 0}); };
  fit();
  runtime::Profiler profiler;
  profiler.start();
  fit();
  profiler.stop();
  const std::vector<runtime::ProgramProfile> programs = profiler.programs();
  ASSERT_EQ(programs.size(), 1U) << profiler.report();
  EXPECT_EQ(programs[0].steps, 2 * 13);
  EXPECT_EQ(programs[0].executions, 2 * 4);
  EXPECT_EQ(programs[0].facts->num_threads, 2);
  ASSERT_TRUE(programs[0].facts->limits.has_value()) << "the worker's, and not this machine's";
  EXPECT_GT(programs[0].facts->limits->gflops, 0);
  const std::string layer = model.layers().front().name();
  EXPECT_NE(profiler.report().find(layer + ": dot_general"), std::string::npos) << profiler.report();
  double in_groups = 0;
  for (std::size_t g = 0; g < programs[0].groups.size(); ++g)
    if (!programs[0].facts->groups[g].is_control) in_groups += programs[0].groups[g].seconds;
  EXPECT_GT(in_groups, 0);
  EXPECT_LE(in_groups, 1.01 * programs[0].seconds);
  EXPECT_LE(programs[0].seconds, profiler.wall_seconds());
  const runtime::ReadTrace trace = runtime::read_trace(profiler.trace());
  EXPECT_TRUE(trace.complete);
  EXPECT_EQ(trace.slices.at("execution"), 2 * 4);
  EXPECT_EQ(trace.slices.at("step"), 2 * 13);
  EXPECT_GT(trace.slices.at("group"), 2 * 13);
}

TEST(RemoteTest, AProfilesSlicesAreBoundedAndItsTablesAreWhole) {
  const WorkerProcess worker;
  const Connected remote(worker.url());
  const Data data;
  const DeviceScope scope(remote.name);
  keras::Sequential model = small_model();
  keras::CompileOptions many = options();
  many.steps_per_execution = 13 * 200;
  model.compile(many);
  runtime::Profiler profiler;
  profiler.start();
  model.fit(data.x, data.y, {.batch_size = 8, .verbose = 0, .steps_per_epoch = 13 * 200, .repeat = true});
  profiler.stop();
  ASSERT_EQ(profiler.programs().size(), 1U);
  EXPECT_EQ(profiler.programs()[0].steps, 13 * 200);
  const runtime::ReadTrace trace = runtime::read_trace(profiler.trace());
  EXPECT_FALSE(trace.complete) << "an execution's slices have a limit";
  EXPECT_GT(trace.slices.at("group"), 1000);
}

TEST(RemoteTest, ADeviceThatMeasuresNothingSaysSo) {
  const Data data;
  const auto profile_of = [&](const std::string& device) {
    const DeviceScope scope(device);
    keras::Sequential model = small_model();
    model.compile(options());
    runtime::Profiler profiler;
    profiler.start();
    model.fit(data.x, data.y, {.batch_size = 8, .verbose = 0});
    profiler.stop();
    EXPECT_TRUE(profiler.is_without_profile());
    return profiler.report();
  };
  const WorkerProcess worker({"--devices", "reference"});
  const Connected remote(worker.url()), here("reference");
  EXPECT_EQ(profile_of(remote.name), "profile: this device gives no profile\n");
  EXPECT_EQ(profile_of(here.name), "profile: this device gives no profile\n");
}

/// A worker's client that loops for ever in one step; it ends when the worker does.
std::thread loop_for_ever(const Connected& remote) {
  return std::thread([&remote] {
    const DeviceScope scope(remote.name);
    const auto loop = function([](const Tensor& x) {
      return while_loop([](const Tensor& v) { return ops::less(v, 1.0); },
                        [](const Tensor& v) { return v * 0.5; }, x);
    });
    EXPECT_NE(error_text_of([&] { (void)loop(Tensor::of<float>({}, {0})).item<float>(); }), "no error");
  });
}

TEST(RemoteTest, ASecondSignalEndsAWorkerThatAClientHoldsForEver) {
  WorkerProcess worker;
  const Connected remote(worker.url(",keep_alive=1"));
  std::thread client = loop_for_ever(remote);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  worker.signal(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto start = Clock::now();
  EXPECT_EQ(worker.end(SIGTERM), 1);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
  EXPECT_NE(worker.output().find("a program that loops for ever: the worker ends without them"),
            std::string::npos);
  client.join();
}

TEST(RemoteTest, AWorkerThatAClientHoldsForEverEndsWhenItHasDrainedForLongEnough) {
  WorkerProcess worker({"--drain-seconds", "0.3"});
  const Connected remote(worker.url(",keep_alive=1"));
  std::thread client = loop_for_ever(remote);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const auto start = Clock::now();
  EXPECT_EQ(worker.end(SIGTERM), 1);
  EXPECT_GT(Clock::now() - start, std::chrono::seconds(3));
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10));
  const std::string said = worker.output();
  EXPECT_NE(said.find("worker stops its executions: it has waited 0.3 s"), std::string::npos) << said;
  EXPECT_NE(said.find("a program that loops for ever: the worker ends without them"), std::string::npos)
      << said;
  client.join();
}

/// A client that trains in one execution, of some ten microseconds a step;
/// the object is made when that has begun.
class LongExecution {
 public:
  LongExecution(const Connected& remote, std::int64_t num_steps)
      : client_([this, &remote, num_steps] { train(remote.name, num_steps); }) {
    begun_.get_future().wait();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  /// What it ended with; "no error".
  std::string error() {
    client_.join();
    return error_;
  }
  std::int64_t num_steps() const { return num_steps_; }

 private:
  struct Begun final : keras::callbacks::Callback {
    explicit Begun(std::promise<void>& promise) : begun(promise) {}
    ~Begun() override { tell(); }
    void on_train_batch_begin(const keras::callbacks::BatchRange&) override { tell(); }
    void tell() {
      if (!std::exchange(is_told, true)) begun.set_value();
    }
    std::promise<void>& begun;
    bool is_told = false;
  };

  void train(const std::string& device, std::int64_t num_steps) {
    const Data data;
    const DeviceScope scope(device);
    keras::Sequential model({keras::layers::Dense({.units = 4000}), keras::layers::Dense({.units = 1})});
    model.compile({.optimizer = "adam", .loss = "mse", .steps_per_execution = num_steps});
    Begun begun(begun_);
    const auto fit = [&](std::int64_t steps, std::vector<keras::callbacks::CallbackEntry> callbacks) {
      return model
          .fit(data.x, data.y,
               {.batch_size = 1,
                .verbose = 0,
                .callbacks = std::move(callbacks),
                .steps_per_epoch = steps,
                .repeat = true})
          .num_steps;
    };
    error_ = error_text_of([&] {
      fit(1, {});  // the worker compiles now: the long execution begins as soon as it is asked for
      num_steps_ = fit(num_steps, {&begun});
    });
  }

  std::promise<void> begun_;
  std::string error_;
  std::int64_t num_steps_ = 0;
  std::thread client_;  // works on the others
};

constexpr std::int64_t kManySteps = 1'000'000;

TEST(RemoteTest, ASecondSignalStopsExecutionsBetweenTwoSteps) {
  WorkerProcess worker;
  const Connected remote(worker.url());
  LongExecution execution(remote, kManySteps);
  worker.signal(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(worker.end(SIGINT), 0) << worker.output();
  EXPECT_NE(worker.output().find("worker stops its executions: it was told a second time"),
            std::string::npos);
  const std::string text = execution.error();
  EXPECT_NE(text.find("it is being shut down: an execution was ended after"), std::string::npos) << text;
}

TEST(RemoteTest, ExecutionsThatGoOnForLongerThanAWorkerDrainsEndBetweenTwoStepsAndTheirClientsHearIt) {
  WorkerProcess worker({"--drain-seconds", "0.5"});
  const Connected remote(worker.url());
  LongExecution execution(remote, kManySteps);
  const auto start = Clock::now();
  EXPECT_EQ(worker.end(SIGTERM), 0) << worker.output();
  EXPECT_GT(Clock::now() - start, std::chrono::milliseconds(500));
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
  const std::string said = worker.output();
  EXPECT_NE(said.find("worker drains: running executions end within 0.5 s"), std::string::npos) << said;
  EXPECT_NE(said.find("worker stops its executions: it has waited 0.5 s"), std::string::npos) << said;
  const std::string text = execution.error();
  EXPECT_NE(text.find("it is being shut down: an execution was ended after"), std::string::npos) << text;
  EXPECT_NE(text.find("of 1000000 steps"), std::string::npos) << text;
  EXPECT_NE(text.find("in epoch 1, step"), std::string::npos) << text;
}

TEST(RemoteTest, ExecutionsThatEndInTimeAreWholeWhenAWorkerDrains) {
  WorkerProcess worker({"--drain-seconds", "300"});
  const Connected remote(worker.url()), idle(worker.url());
  LongExecution execution(remote, 100'000);
  worker.signal(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  // It says so as long as the execution runs.
  const std::string status = backends::remote::worker_status("//" + worker.address());
  EXPECT_NE(status.find(", draining"), std::string::npos) << status;
  const std::string refused = error_text_of([&] { runtime::make_client(worker.url()); });
  EXPECT_NE(refused.find("it is being shut down and takes no new clients"), std::string::npos) << refused;
  const std::vector<float> values(400);
  const std::string call =
      error_text_of([&] { idle.client->allocate({DType::kF32, {400}})->copy_from_host(values.data()); });
  EXPECT_NE(call.find("it is being shut down and takes no new calls"), std::string::npos) << call;
  EXPECT_EQ(execution.error(), "no error");
  EXPECT_EQ(execution.num_steps(), 100'000);
  EXPECT_EQ(worker.end(SIGCONT), 0) << worker.output();
  EXPECT_EQ(worker.output().find("stops its executions"), std::string::npos);
}

TEST(RemoteTest, WeightsCanBeFetchedFromAWorkerThatDrains) {
  WorkerProcess worker;
  const Connected remote(worker.url());
  const Data data;
  const WorkerFiles folder;
  keras::Sequential here = small_model(), there = small_model();
  here.compile(options());
  here.fit(data.x, data.y, {.batch_size = 8, .verbose = 0});
  std::vector<Tensor> fetched;
  {
    const DeviceScope scope(remote.name);
    there.compile(options());
    After signal({13}, [&] {  // the first epoch
      worker.signal(SIGTERM);
      while (backends::remote::worker_status("//" + worker.address()).find(", draining") == std::string::npos)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
    const std::string text = error_text_of([&] {
      there.fit(data.x, data.y, {.batch_size = 8, .epochs = 1'000'000, .verbose = 0, .callbacks = {&signal}});
    });
    EXPECT_NE(text.find("it is being shut down and takes no new calls"), std::string::npos) << text;
    fetched = there.get_weights();
    there.save(folder.file("kept.keras"));
  }
  const std::vector<Tensor> local = here.get_weights(),
                            saved = keras::load_model(folder.file("kept.keras")).get_weights();
  ASSERT_EQ(fetched.size(), local.size());
  ASSERT_EQ(saved.size(), local.size());
  for (std::size_t i = 0; i < local.size(); ++i) {
    EXPECT_EQ(fetched[i].to_vector<float>(), local[i].to_vector<float>()) << "weight " << i;
    EXPECT_EQ(saved[i].to_vector<float>(), local[i].to_vector<float>()) << "weight " << i;
  }
  EXPECT_EQ(worker.end(SIGCONT), 0) << worker.output();
}

TEST(RemoteTest, AWorkerDrainsWhenItIsToldTo) {
  WorkerProcess worker;
  const Connected remote(worker.url());
  const auto start = Clock::now();
  EXPECT_EQ(worker.end(SIGTERM), 0) << worker.output();
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(10))
      << "a client that asks for nothing holds nobody up: not the 30 s of --drain-seconds";
}

TEST(RemoteTest, WrongAddressesSayWhatWouldWork) {
  EXPECT_NE(error_text_of([] { runtime::make_client("grpc://localhost"); }).find("write grpc://HOST:PORT"),
            std::string::npos);
  EXPECT_NE(error_text_of([] { runtime::make_client("grpc://h:1,token=x"); }).find("token_file"),
            std::string::npos);
  EXPECT_NE(error_text_of([] {
              runtime::make_client("grpc://127.0.0.1:1");
            }).find("nothing there takes connections: Connection refused"),
            std::string::npos);
  EXPECT_NE(error_text_of([] {
              runtime::make_client("grpc://no.such.host.invalid:1");
            }).find("its name cannot be looked up"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0
