#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/data/dataset.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/variable_watcher.h"

// A simulated device beside the CPU in one program: operations, functions and models on either.
namespace cornu::inline v0 {
namespace {

struct SimulatedDevicesTest : testing::Test {
  std::shared_ptr<runtime::Client> client;
  std::string name;

  void connect(const std::string& spec) {
    client = runtime::make_client(spec);
    name = add_devices(client).at(0);
  }
  ~SimulatedDevicesTest() override {
    if (client != nullptr) remove_devices(client);
  }
  runtime::TransferStatistics calls_of(const std::function<void()>& work) const {
    const runtime::TransferStatistics before = client->counts();
    work();
    return client->counts().since(before);
  }
};

TEST_F(SimulatedDevicesTest, OperationsUnderAScopeRunThereAndAreCompiledOnce) {
  connect("sim:call_60ms,clock=virtual,device_type=TPU");
  EXPECT_EQ(name, "/job:localhost/replica:0/task:0/device:TPU:0");
  const Tensor x = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}),
               y = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  Tensor product;
  const auto multiply = [&] {
    const DeviceScope scope("TPU:0");
    product = ops::matmul(x, y);
  };
  EXPECT_EQ(calls_of(multiply).compiles.calls, 1);
  EXPECT_EQ(product.device(), name);
  EXPECT_EQ(product.to_vector<float>(), (std::vector<float>{22, 28, 49, 64})) << "and waited for";
  const double start = client->now();
  const runtime::TransferStatistics again = calls_of(multiply);
  EXPECT_EQ(again.compiles.calls, 0);
  EXPECT_EQ(again.executions.calls, 1);
  EXPECT_EQ(again.reads.calls, 0) << "nobody has looked";
  EXPECT_EQ(product.to_vector<float>(), (std::vector<float>{22, 28, 49, 64}));
  const std::int64_t round_trips = again.writes.calls + again.executions.calls + 1;
  EXPECT_NEAR(client->now() - start, 0.06 * static_cast<double>(round_trips), 1e-9);
}

TEST_F(SimulatedDevicesTest, ResultsOfFunctionsStayThereUntilTheyAreRead) {
  connect("sim:ideal");
  const auto twice = function([](const Tensor& x) { return x * 2.0; });
  Tensor result;
  const runtime::TransferStatistics calls = calls_of([&] {
    const DeviceScope scope(name);
    result = twice(twice(Tensor::of<float>({2}, {1, 2})));
  });
  EXPECT_EQ(calls.executions.calls, 2);
  EXPECT_EQ(calls.writes.calls, 1);
  EXPECT_EQ(calls.reads.calls, 0);
  EXPECT_EQ(calls_of([&] { EXPECT_EQ(result.to_vector<float>(), (std::vector<float>{4, 8})); }).reads.calls,
            1);
}

TEST_F(SimulatedDevicesTest, ExplainSaysThatTheSecondsOfItsCallsAreSimulated) {
  connect("sim:call_60ms,clock=virtual,device_kind=TPU v9");
  const auto twice = function([](const Tensor& x) { return x * 2.0; });
  const Tensor x = Tensor::of<float>({2}, {1, 2});
  twice(x);
  EXPECT_EQ(twice.explain().find("simulated"), std::string::npos) << "on this CPU nothing is";
  {
    const DeviceScope scope(name);
    twice(x);
  }
  const std::string text = twice.explain();
  const std::string title =
      "calls of " + client->name() + ", TPU v9 (simulated) so far, in simulated seconds:\n";
  const std::size_t at = text.find(title);
  ASSERT_NE(at, std::string::npos) << text;
  const std::string table = text.substr(at + title.size());
  for (const char* const row : {"\nwrite ", "\nexecute ", "\ncompile "})
    EXPECT_NE(table.find(row), std::string::npos) << text;
}

keras::Sequential small_model() {
  return keras::Sequential({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                            keras::layers::Dropout({.rate = 0.25}), keras::layers::Dense({.units = 1})});
}

TEST_F(SimulatedDevicesTest, ModelsTrainOnTwoDevicesInOneProgram) {
  connect("sim:ideal");
  std::vector<float> values(60);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i % 17);
  const Tensor x = Tensor::from<float>({20, 3}, values),
               y = Tensor::from<float>({20, 1}, std::vector<float>(values.begin(), values.begin() + 20));
  const auto options = [] {
    return keras::CompileOptions{.optimizer = "adam", .loss = "mse", .steps_per_execution = 3, .seed = 5};
  };
  const auto same_model = [] {
    set_random_seed(3);
    keras::Sequential model = small_model();
    model.build({keras::kUnknown, 3});
    return model;
  };
  keras::Sequential here = same_model(), there = same_model();
  here.compile(options());
  {
    const DeviceScope scope(name);
    there.compile(options());
  }
  for (int i = 0; i < 2; ++i) {
    const auto on_cpu = here.fit(x, y, {.batch_size = 8, .epochs = 2, .verbose = 0});
    const DeviceScope scope(name);
    const auto simulated = there.fit(x, y, {.batch_size = 8, .epochs = 2, .verbose = 0});
    EXPECT_EQ(simulated["loss"], on_cpu["loss"]);
  }
  EXPECT_GT(client->counts().executions.calls, 0);
  const std::vector<float> expected = here.predict(x, {.verbose = 0})[0].to_vector<float>();
  const DeviceScope scope(name);
  EXPECT_EQ(there.predict(x, {.verbose = 0})[0].to_vector<float>(), expected);
}

/// `count` rows of three numbers, for small_model(), and a number for each.
std::pair<Tensor, Tensor> rows_of_three(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(3 * count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i % 17);
  const Tensor x = Tensor::from<float>({count, 3}, values);
  return {x, ops::sum(x, {.axis = {1}, .keepdims = true})};
}

keras::Sequential built_model(const keras::CompileOptions& options) {
  keras::Sequential model = small_model();
  model.build({keras::kUnknown, 3});
  model.compile(options);
  return model;
}

TEST_F(SimulatedDevicesTest, AutoCompilesForAnotherNumberOnlyIfTheStepsThatAreLeftMayPay) {
  connect("sim:tpu_8_cores,clock=virtual,num_cores=1");  // two seconds a program, 60 ms a launch
  const auto [x, y] = rows_of_three(56);
  const auto [long_x, long_y] = rows_of_three(1600);
  const DeviceScope scope(name);
  const keras::CompileOptions options{.optimizer = "sgd", .loss = "mse", .steps_per_execution = "auto"};
  keras::Sequential model = built_model(options);
  for (const std::int64_t expected : {1, 0}) {
    const auto evaluate = [&] { model.evaluate(x, y, {.batch_size = 8, .verbose = 0}); };
    EXPECT_EQ(calls_of(evaluate).compiles.calls, expected);
    EXPECT_EQ(calls_of([&] { model.predict(x, {.batch_size = 8, .verbose = 0}); }).compiles.calls, expected);
  }
  EXPECT_GT(calls_of([&] { model.evaluate(long_x, long_y, {.batch_size = 8, .verbose = 0}); }).compiles.calls,
            0);
  EXPECT_GT(calls_of([&] { model.predict(long_x, {.batch_size = 8, .verbose = 0}); }).compiles.calls, 0);

  const auto programs_of_fit = [&](std::int64_t epochs) {
    keras::Sequential trained = built_model(options);
    keras::FitOptions fit{.batch_size = 8, .epochs = epochs, .verbose = 0};
    fit.validation_data = {x, y};
    fit.steps_per_epoch = 1;
    return calls_of([&] { trained.fit(x, y, fit); }).compiles.calls;
  };
  EXPECT_EQ(programs_of_fit(3), 2) << "one for training, one for validation";
  EXPECT_GT(programs_of_fit(60), 2) << "later validations pay for another one";
}

TEST_F(SimulatedDevicesTest, BatchesOfSeveralShapesAreAnExecutionForEachRunOfOneShape) {
  connect("sim:call_60ms,clock=virtual");
  const data::Dataset batches = data::Dataset::range(10).map([](std::int64_t n) {
    const std::int64_t length = n < 4 ? 5 : n < 9 ? 3 : 5;
    std::vector<float> x(static_cast<std::size_t>(4 * length * 3));
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(i % 7) + 0.1f * static_cast<float>(n);
    return std::pair(Tensor::adopt({4, length, 3}, std::move(x)),
                     Tensor::adopt({4, 1}, std::vector<float>{0, 1, 2, 1}));
  });
  const auto make = [] {
    set_random_seed(3);
    keras::Sequential model({keras::layers::GlobalAveragePooling1D(), keras::layers::Dense({.units = 1})});
    model.build({keras::kUnknown, 5, 3});
    return model;
  };
  keras::Sequential here = make(), there = make();
  const keras::CompileOptions options{.optimizer = "adam", .loss = "mse", .steps_per_execution = 4};
  here.compile(options);
  const auto local = here.fit(batches, {.epochs = 2, .verbose = 0});
  const DeviceScope scope(name);
  there.compile(options);
  const runtime::TransferStatistics calls =
      calls_of([&] { EXPECT_EQ(there.fit(batches, {.epochs = 2, .verbose = 0})["loss"], local["loss"]); });
  EXPECT_EQ(calls.executions.items, 20);
  EXPECT_EQ(calls.executions.calls, 2 * 4) << "4 steps, 4 and 1, and 1";
  EXPECT_EQ(there.evaluate(batches, {.verbose = 0}), here.evaluate(batches, {.verbose = 0}));
}

TEST_F(SimulatedDevicesTest, WhatIsSavedIsReadAtOnce) {
  connect("sim:ideal");
  const auto [x, y] = rows_of_three(20);
  const DeviceScope scope(name);
  keras::Sequential model = built_model({.optimizer = "adam", .loss = "mse", .metrics = {"mae"}});
  model.fit(x, y, {.epochs = 1, .verbose = 0});
  const std::string base = testing::TempDir() + "what_is_saved_is_read_at_once";
  for (const char* const end : {".keras", ".h5"})
    EXPECT_EQ(calls_of([&] { model.save(base + end); }).reads.calls, 1) << end;
  for (const char* const end : {".weights.h5", ".safetensors", ".npz"})
    EXPECT_EQ(calls_of([&] { model.save_weights(base + end); }).reads.calls, 1) << end;
  const auto save_shards = [&] { model.save_weights(base + ".weights.json", {.max_shard_size = 1.0}); };
  EXPECT_EQ(calls_of(save_shards).reads.calls, 1);
  EXPECT_EQ(calls_of([&] { (void)model.training_state(); }).reads.calls, 1);

  const std::vector<Tensor> weights = model.get_weights();
  const std::vector<Tensor> saved = keras::load_model(base + ".keras").get_weights();
  ASSERT_EQ(saved.size(), weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    EXPECT_EQ(saved[i].to_vector<float>(), weights[i].to_vector<float>()) << i;

  const detail::VariableValues known(model.weights());
  const detail::ValuesScope values(known);
  EXPECT_EQ(calls_of([&] { const detail::VariableValues again(model.weights()); }).reads.calls, 0)
      << "the scope around it has them";
}

TEST_F(SimulatedDevicesTest, StepsThatTakeElementsAreOneUploadAndOneExecution) {
  connect("sim:call_60ms,clock=virtual");
  std::vector<float> values;
  for (int i = 0; i < 64; ++i) values.push_back(0.125F * static_cast<float>(i));
  const data::Dataset dataset = data::Dataset::from_tensor_slices(Tensor::from<float>({64}, values)).batch(4);
  const auto trained = [&](const std::string& device) {
    const DeviceScope scope(device);
    const Variable slope(Tensor(1.0f), {.name = "slope"});
    const auto train_steps = function([&](const data::Iterator& iterator, const Tensor& steps) {
      fori_loop(0, steps, [&](const Tensor&) {
        slope.assign_add(ops::mean(data::next(iterator).tensor() - slope) * 0.25);
      });
    });
    const data::Iterator iterator = dataset.iterator();
    train_steps(iterator, Tensor(5).strong_scalar(DType::kI32));
    const runtime::TransferStatistics before = client->counts();
    train_steps(iterator, Tensor(4).strong_scalar(DType::kI32));
    const runtime::TransferStatistics calls = client->counts().since(before);
    if (!device.starts_with("CPU")) {
      EXPECT_EQ(calls.compiles.calls, 0);
      EXPECT_EQ(calls.executions.calls, 1);
      EXPECT_EQ(calls.writes.calls, 1);
      EXPECT_EQ(calls.reads.calls, 0);
    }
    train_steps(iterator, Tensor(7).strong_scalar(DType::kI32));
    EXPECT_EQ(train_steps.trace_count(), 1);
    return slope.value().item<float>();
  };
  EXPECT_NEAR(trained(name), trained("CPU:0"), 1e-6);
}

TEST_F(SimulatedDevicesTest, AnElementThatALostDeviceDidNotUseIsStillThere) {
  connect("sim:ideal,lose_at_launch=2");
  const auto step =
      function([](const data::Iterator& iterator) { return data::next(iterator).tensor() * 2; });
  data::Iterator iterator = data::Dataset::range(3).iterator();
  {
    const DeviceScope scope(name);
    EXPECT_EQ(step(iterator).item<std::int64_t>(), 0);
    EXPECT_THROW((void)step(iterator).item<std::int64_t>(), Error);
  }
  EXPECT_EQ(step(iterator).item<std::int64_t>(), 2);
}

TEST_F(SimulatedDevicesTest, ATensorOfADeviceThatIsGoneCannotBeRead) {
  connect("sim:ideal,lose_at_launch=2");
  const auto twice = function([](const Tensor& x) { return x * 2.0; });
  const DeviceScope scope(name);
  const Tensor result = twice(Tensor::of<float>({2}, {1, 2}));
  try {
    (void)twice(result).to_vector<float>();
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable) << error.what();
  }
  try {
    (void)result.to_vector<float>();
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_NE(std::string(error.what()).find("is gone"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0
