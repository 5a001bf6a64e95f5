#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "cornu/backends/pjrt/backend.h"
#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/backends/stacked/line_training_test_support.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

using ir::DType;
using ir::Value;
using runtime::ArgumentKind;
using stacked::line_training::kBatch;
using stacked::line_training::kFeatures;
using stacked::line_training::kNumRows;
using stacked::line_training::LineTraining;

using PluginDeviceTest = PluginTest;

TEST_F(PluginDeviceTest, DescribesItsDevices) {
  if (!is_on_cpu()) GTEST_SKIP() << "what is expected is said of the plug-in for CPUs";
  ASSERT_EQ(client()->devices().size(), 1U);
  const runtime::DeviceInfo& device = client()->devices()[0];
  EXPECT_EQ(device.type, "XLA_CPU");
  EXPECT_EQ(device.kind, "cpu");
  EXPECT_FALSE(client()->is_addressable());
  EXPECT_EQ(client()->platform(), "pjrt:cpu");
  EXPECT_NE(client()->description().find("PJRT 0.81, StableHLO 1.13.3"), std::string::npos)
      << client()->description();
}

TEST_F(PluginDeviceTest, TensorsOfEveryTypeComeBackAsTheyWent) {
  for (const DType dtype :
       {DType::kI1, DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kU8, DType::kU16, DType::kU32,
        DType::kU64, DType::kF16, DType::kBF16, DType::kF32, DType::kF64})
    for (const ir::Dims& dims : {ir::Dims{}, ir::Dims{3, 5}, ir::Dims{0, 2}}) {
      const ir::TensorType type{dtype, dims};
      std::vector<std::byte> there(type.size_bytes()), back(type.size_bytes(), std::byte{9});
      for (std::size_t i = 0; i < there.size(); ++i) there[i] = static_cast<std::byte>(i % 2);
      const std::unique_ptr<runtime::Buffer> buffer = client()->allocate(type);
      buffer->copy_from_host(there.data());
      const std::unique_ptr<runtime::Buffer> copy = client()->copy(*buffer, 0);
      copy->copy_to_host(back.data());
      EXPECT_EQ(there, back) << type.str();
      EXPECT_EQ(buffer->host_data(), nullptr);
    }
}

TEST_F(PluginDeviceTest, WhatNobodyHasWrittenIsZero) {
  float values[] = {1, 2, 3};
  client()->allocate({DType::kF32, {3}})->copy_to_host(values);
  for (const float value : values) EXPECT_EQ(value, 0);
}

TEST_F(PluginDeviceTest, AnyNumberOfStepsTrainsAsTheEngineDoes) {
  const std::shared_ptr<runtime::Client> cpu = runtime::make_client("cpu", {.num_threads = 1});
  for (const std::int64_t num_steps : {1, 2, 3, 5, 8, 50}) {
    SCOPED_TRACE(num_steps);
    LineTraining expected(*cpu), found(*client());
    EXPECT_EQ(expected.run(num_steps), num_steps);
    EXPECT_EQ(found.run(num_steps), num_steps);
    EXPECT_EQ(found.steps_counted(), expected.steps_counted());
    for (std::size_t i = 0; i < expected.losses.size(); ++i)
      EXPECT_NEAR(found.losses[i], expected.losses[i], 1e-6F) << "loss " << i;
    for (std::size_t i = 0; i + 1 < expected.predictions.size(); ++i)  // the last row is padding
      EXPECT_NEAR(found.predictions[i], expected.predictions[i], 1e-6F) << "prediction " << i;
    for (std::size_t i = 0; i < kFeatures; ++i)
      EXPECT_NEAR(found.weights_now()[i], expected.weights_now()[i], 1e-6F);
  }
}

TEST_F(PluginDeviceTest, StateIsDonatedAndALoopHasTheBitsOfSingleSteps) {
  LineTraining loop(*client()), single(*client());
  loop.run(7);
  runtime::Buffer* const state[] = {single.weights.get(), single.counter.get()};
  runtime::Buffer* const fixed[] = {single.rate.get()};
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(single.x.data()),
                                   reinterpret_cast<const std::byte*>(single.y.data())};
  float predictions[kBatch], loss = 0;
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(predictions),
                                reinterpret_cast<std::byte*>(&loss)};
  for (std::size_t step = 0; step < 7; ++step) {
    single.executable->run({.state = state,
                            .fixed = fixed,
                            .rows = rows,
                            .row_indices = single.indices.data() + step * kBatch,
                            .num_rows = step < 6 ? kBatch : kBatch - 1,
                            .outputs = outputs});
    EXPECT_EQ(loss, loop.losses[step]) << "step " << step;
  }
  EXPECT_EQ(single.weights_now(), loop.weights_now());
  EXPECT_NE(loop.executable->dump("stablehlo").find("tf.aliasing_output = 0"), std::string::npos);
  const std::string report = loop.executable->explain();
  EXPECT_NE(report.find("(of these 16 in memory of donated arguments)"), std::string::npos) << report;
}

TEST_F(PluginDeviceTest, StopsBetweenLaunches) {
  LineTraining training(*client());
  training.progress.stop = true;
  EXPECT_EQ(training.run(5), 0);
  EXPECT_EQ(training.steps_counted(), 0U);
}

TEST_F(PluginDeviceTest, RowsAndOutputsMayStayOnTheDevice) {
  LineTraining expected(*client()), found(*client());
  expected.run(3);
  const auto x = client()->allocate({DType::kF32, {kNumRows, kFeatures}}),
             y = client()->allocate({DType::kF32, {kNumRows}});
  x->copy_from_host(found.x.data());
  y->copy_from_host(found.y.data());
  const auto predictions = client()->allocate({DType::kF32, {3 * kBatch}}),
             losses = client()->allocate({DType::kF32, {3}});
  runtime::Buffer* const state[] = {found.weights.get(), found.counter.get()};
  runtime::Buffer* const fixed[] = {found.rate.get()};
  runtime::Buffer* const rows[] = {x.get(), y.get()};
  runtime::Buffer* const outputs[] = {predictions.get(), losses.get()};
  EXPECT_EQ(found.executable->run({.state = state,
                                   .fixed = fixed,
                                   .row_buffers = rows,
                                   .row_indices = found.indices.data(),
                                   .num_rows = 3 * kBatch - 1,
                                   .output_buffers = outputs},
                                  3),
            3);
  std::vector<float> values(3);
  losses->copy_to_host(values.data());
  EXPECT_EQ(values, expected.losses);
  EXPECT_EQ(found.weights_now(), expected.weights_now());
}

TEST_F(PluginDeviceTest, SeveralDevicesHaveTensorsAndProgramsOfTheirOwn) {
  if (!is_on_cpu()) GTEST_SKIP() << "the plug-in for CPUs makes as many devices as it is asked for";
  const auto two = runtime::make_client("pjrt:cpu,cpu_device_count=2");
  ASSERT_EQ(two->devices().size(), 2U);
  const auto first = two->allocate({DType::kF32, {2}}, 0);
  const float values[] = {3, 4};
  first->copy_from_host(values);
  const auto second = two->copy(*first, 1);
  EXPECT_EQ(second->device(), 1);
  ir::Function function;
  function.name = "double";
  const Value x = function.body.add_argument({DType::kF32, {2}});
  ir::Builder b(function.body);
  function.body.set_results({ops::add(b, x, x)});
  const auto program = two->compile(
      {.step = &function, .arguments = {ArgumentKind::kState}, .name = "double", .devices = {1}});
  runtime::Buffer* const state[] = {second.get()};
  program->run({.state = state});
  float doubled[2] = {};
  second->copy_to_host(doubled);
  EXPECT_EQ(doubled[1], 8);
  runtime::Buffer* const elsewhere[] = {first.get()};
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [&] { program->run({.state = elsewhere}); })
                .find("device 0"),
            std::string::npos);
}

TEST_F(PluginDeviceTest, ExecutionsOfOneExecutableRunOnManyThreads) {
  LineTraining reference(*client());
  reference.run(20);
  std::vector<std::unique_ptr<LineTraining>> all;
  for (int i = 0; i < 4; ++i) {
    all.push_back(std::make_unique<LineTraining>(*client()));
    all.back()->executable = reference.executable;
  }
  std::vector<std::thread> threads;
  for (const auto& training : all) threads.emplace_back([&training] { training->run(20); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& training : all) EXPECT_EQ(training->losses, reference.losses);
}

TEST_F(PluginDeviceTest, BuffersOfOtherClientsAndOfOtherTypesAreRefusedBeforeThePluginSeesThem) {
  // The plug-in takes any buffer of the right number of bytes, of whatever type.
  LineTraining training(*client());
  const auto other = runtime::make_client(tested_device());
  auto weights = std::move(training.weights);
  training.weights = other->allocate({DType::kF32, {kFeatures}});
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [&] { training.run(1); }).find("belongs to"),
            std::string::npos);
  training.weights = client()->allocate({DType::kI32, {kFeatures}});
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [&] { training.run(1); }).find("tensor<3xi32>"),
            std::string::npos);
  training.weights = std::move(weights);
  EXPECT_EQ(training.run(1), 1);
}

TEST_F(PluginDeviceTest, ASecondClientFindsCompiledProgramsOnDisk) {
  const std::string folder = testing::TempDir() + "/cornu_pjrt_device_cache";
  std::filesystem::remove_all(folder);
  const auto train = [&] {
    const auto cached = runtime::make_client(tested_device(), {.cache_folder = folder});
    LineTraining training(*cached);
    training.run(5);
    return std::make_pair(training.executable->stats().from_cache, training.losses);
  };
  const auto cold = train(), warm = train();
  EXPECT_FALSE(cold.first);
  EXPECT_TRUE(warm.first);
  EXPECT_EQ(cold.second, warm.second);
  // An entry that is damaged is made anew.
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
  const auto damaged = train(), repaired = train();
  EXPECT_FALSE(damaged.first);
  EXPECT_TRUE(repaired.first);
  EXPECT_EQ(damaged.second, cold.second);
  std::filesystem::remove_all(folder);
}

TEST_F(PluginDeviceTest, MemoryThatIsLentStaysUntilThePluginHasLetGoOfIt) {
  // 8 MiB of rows, which the host's memory is lent for; executable and event go before the launch is done.
  constexpr std::int64_t kRows = 512, kColumns = 4096;
  ir::Function step;
  step.name = "sum";
  const Value sum = step.body.add_argument({DType::kF32, {kRows, kRows}});
  const Value x = step.body.add_argument({DType::kF32, {kRows, kColumns}});
  ir::Builder b(step.body);
  const Value product = ops::matmul(b, x, ops::transpose(b, x, {1, 0}));
  step.body.set_results({ops::add(b, sum, product)});
  const std::vector<float> data(kRows * kColumns, 0.5F);
  std::vector<std::int64_t> indices(kRows);
  const std::byte* const rows[] = {reinterpret_cast<const std::byte*>(data.data())};
  const auto total = client()->allocate(sum.type());
  runtime::Buffer* const state[] = {total.get()};
  const runtime::Replica replica{
      .state = state, .rows = rows, .row_indices = indices.data(), .num_rows = kRows};
  for (int i = 0; i < 4; ++i) {
    const auto executable = client()->compile(
        {.step = &step, .arguments = {ArgumentKind::kState, ArgumentKind::kRows}, .name = "sum"});
    executable->prepare(1);
    executable->execute({.replicas = {&replica, 1}});
  }
  std::vector<float> totals(kRows * kRows);
  total->copy_to_host(totals.data());
  for (const float value : totals) ASSERT_EQ(value, 4 * kColumns * 0.25F);
}

TEST_F(PluginDeviceTest, AProcessThatWasForkedIsToldSo) {
  const auto buffer = client()->allocate({DType::kF32, {2}});
  const float values[] = {1, 2};
  buffer->copy_from_host(values);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);  // without the check the child waits for threads that are not there
    int refused = 0;
    const auto refuses = [&](const auto& use) {
      try {
        use();
      } catch (const Error& error) {
        if (error.code() == ErrorCode::kFailedPrecondition &&
            std::string(error.what()).find("forked") != std::string::npos)
          ++refused;
      }
    };
    float back[2];
    refuses([&] { buffer->copy_to_host(back); });
    refuses([&] { buffer->copy_from_host(values); });
    refuses([&] { LineTraining(*client()).run(1); });
    refuses([&] { runtime::make_client(tested_device()); });
    _exit(refused);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "it ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 4);
  float back[2] = {};
  buffer->copy_to_host(back);
  EXPECT_EQ(back[1], 2);
}

TEST_F(PluginDeviceTest, AGroupOfReplicasThatAreNotThereIsRefused) {
  ir::Function function;
  function.name = "sum";
  const Value x = function.body.add_argument({DType::kF32, {2}});
  ir::Builder b(function.body);
  function.body.set_results({ops::all_reduce_sum(b, x, {.groups = {{0, 1}}})});
  EXPECT_NE(
      error_text_of(
          ErrorCode::kInvalidArgument,
          [&] { client()->compile({.step = &function, .arguments = {ArgumentKind::kState}, .name = "sum"}); })
          .find("replica"),
      std::string::npos);
}

TEST_F(PluginDeviceTest, ProgramsAskForThePrecisionOfTheirClient) {
  ir::Function function;
  function.name = "product";
  const Value x = function.body.add_argument({DType::kF32, {2, 2}});
  ir::Builder b(function.body);
  function.body.set_results({ops::matmul(b, x, x)});
  const auto text_on = [&](const std::string& spec,
                           runtime::Precision precision = runtime::Precision::kAuto) {
    const auto client = runtime::make_client(spec);
    const auto program = client->compile(
        {.step = &function, .arguments = {ArgumentKind::kState}, .name = "product", .precision = precision});
    const auto buffer = client->allocate({DType::kF32, {2, 2}});
    const float values[] = {1, 2, 3, 4};
    buffer->copy_from_host(values);
    runtime::Buffer* const state[] = {buffer.get()};
    program->run({.state = state});
    float product[4] = {};
    buffer->copy_to_host(product);
    EXPECT_EQ(product[3], 22);
    return program->dump("stablehlo");
  };
  const std::string device = tested_device();
  EXPECT_NE(text_on(device).find("<precision HIGHEST>"), std::string::npos);
  EXPECT_NE(text_on(device + ",precision=default").find("<precision DEFAULT>"), std::string::npos);
  EXPECT_NE(text_on(device + ",precision=high").find("<precision HIGH>"), std::string::npos);
  EXPECT_NE(text_on(device + ",precision=high", runtime::Precision::kDefault).find("<precision DEFAULT>"),
            std::string::npos);
  EXPECT_NE(
      error_text_of(ErrorCode::kInvalidArgument, [&] { runtime::make_client(device + ",precision=exact"); })
          .find("\"highest\", \"high\""),
      std::string::npos);
}

TEST_F(PluginDeviceTest, ProductsAreAsExactAsAskedForOrMore) {
  ir::Function function;
  function.name = "product";
  const Value x = function.body.add_argument({DType::kF32, {2, 2}});
  ir::Builder b(function.body);
  function.body.set_results({ops::matmul(b, x, x)});
  constexpr float kExact = (1 + 1.0F / 1024) * (1 + 1.0F / 1024);
  struct Row {
    runtime::Precision precision;
    const char* text;
    float tolerance;  // the plug-in for CPUs takes each word and computes in f32
  };
  for (const auto& [precision, text, tolerance] :
       {Row{runtime::Precision::kHighest, "<precision HIGHEST>", 0},
        Row{runtime::Precision::kBf16, "rhs_precision_type = bf16", 0.01F},
        Row{runtime::Precision::kTf32, "rhs_precision_type = tf32", 0.001F}}) {
    SCOPED_TRACE(text);
    const auto program = client()->compile(
        {.step = &function, .arguments = {ArgumentKind::kState}, .name = "product", .precision = precision});
    const auto buffer = client()->allocate({DType::kF32, {2, 2}});
    const float values[] = {1 + 1.0F / 1024, 0, 0, 1};
    buffer->copy_from_host(values);
    runtime::Buffer* const state[] = {buffer.get()};
    program->run({.state = state});
    float product[4] = {};
    buffer->copy_to_host(product);
    EXPECT_NEAR(product[0], kExact, tolerance);
    EXPECT_NE(program->dump("stablehlo").find(text), std::string::npos);
  }
}

TEST_F(PluginDeviceTest, WhatTheHostHasNoMemoryForIsRefusedBeforeThePluginTriesIt) {
  if (!is_on_cpu()) GTEST_SKIP() << "a device with memory of its own refuses it itself";
  const ir::TensorType huge{DType::kF32, {std::int64_t{1} << 42}};
  ir::Function makes, takes;
  makes.name = takes.name = "huge";
  {
    const Value x = makes.body.add_argument({DType::kF32, {}});
    ir::Builder b(makes.body);
    makes.body.set_results({ops::broadcast_scalar(b, x, huge.dims)});
  }
  const auto maker = client()->compile({.step = &makes, .arguments = {ArgumentKind::kFixed}, .name = "huge"});
  EXPECT_NE(
      error_text_of(ErrorCode::kResourceExhausted, [&] { maker->prepare(1); }).find("what \"huge\" computes"),
      std::string::npos);
  {
    const Value x = takes.body.add_argument(huge);
    ir::Builder b(takes.body);
    takes.body.set_results({ops::reduce_sum(b, x, {0})});
  }
  const auto taker = client()->compile({.step = &takes, .arguments = {ArgumentKind::kFixed}, .name = "huge"});
  const std::unique_ptr<runtime::Buffer> buffer = client()->allocate(huge);
  runtime::Buffer* const fixed[] = {buffer.get()};
  float sum = 0;
  std::byte* const outputs[] = {reinterpret_cast<std::byte*>(&sum)};
  const std::string message =
      error_text_of(ErrorCode::kResourceExhausted, [&] { taker->run({.fixed = fixed, .outputs = outputs}); });
  EXPECT_NE(message.find("for which there is no memory"), std::string::npos) << message;
}

TEST_F(PluginDeviceTest, AProgramThatIsRefusedNamesTheLayer) {
  // The plug-in's StableHLO wants windows of at least one tap.
  ir::Function function;
  function.name = "empty_window";
  const Value x = function.body.add_argument({DType::kF32, {1, 5, 3}}),
              kernel = function.body.add_argument({DType::kF32, {0, 3, 2}});
  ir::Builder b(function.body);
  b.set_location("conv_7");
  function.body.set_results({ops::convolution(b, x, kernel, ops::channels_last(1), {})});
  const auto program = client()->compile(
      {.step = &function, .arguments = {ArgumentKind::kFixed, ArgumentKind::kFixed}, .name = "empty_window"});
  try {
    program->prepare(1);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.layer(), "conv_7") << error.what();
    EXPECT_NE(std::string(error.what()).find("compile \"empty_window\""), std::string::npos) << error.what();
  }
}

TEST_F(PluginDeviceTest, WhatCannotBeAskedForIsRefusedInWords) {
  if (!is_on_cpu()) GTEST_SKIP() << "what is refused is named after the plug-in for CPUs";
  EXPECT_NE(error_text_of(ErrorCode::kNotFound, [] { runtime::make_client("pjrt:cpo"); })
                .find("did you mean \"cpu\"?"),
            std::string::npos);
  EXPECT_NE(
      error_text_of(ErrorCode::kInvalidArgument, [] { runtime::make_client("pjrt:cpu,preallocate=true"); })
          .find("platform gpu"),
      std::string::npos);
  LineTraining training(*client());
  training.run(1);
  EXPECT_NE(error_text_of(ErrorCode::kInvalidArgument, [&] { (void)training.executable->dump("plan"); })
                .find("stablehlo"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
