#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/bench_fit.h"
#include "cli/workloads.h"
#include "cornu/base/error.h"
#include "cornu/tensor/device.h"

// Training on a simulated device: the bits of the CPU engine, and the time that the number of calls predicts.
namespace cornu::inline v0::cli {
namespace {

using keras::layers::BatchNormalization;
using keras::layers::Dense;
using keras::layers::Dropout;
using keras::layers::LSTM;

/// Results of a training run.
struct Trained {
  std::vector<std::pair<std::string, std::vector<double>>> history;
  std::vector<ir::Literal> variables;
  std::vector<float> predictions;
};

struct SimulatedWorkloadsTest : testing::Test {
  ~SimulatedWorkloadsTest() override { set_default_client(nullptr); }
};

/// Everything on the device of this spec.
Trained train(const std::string& device, std::int64_t steps_per_execution, const Workload& workload,
              std::int64_t epochs = 2) {
  set_default_client(runtime::make_client(device, default_client_options()));
  set_random_seed(11);
  const WorkloadData data = make_data(workload);
  keras::Model model = workload.make_model();
  keras::CompileOptions options = workload.compile_options();
  options.steps_per_execution = steps_per_execution;
  model.compile(options);
  const auto history = model.fit(
      data.x, data.y,
      {.batch_size = workload.batch_size, .epochs = epochs, .verbose = 0, .validation_split = 0.25});
  Trained trained;
  for (const auto& [name, values] : history.history) trained.history.emplace_back(name, values);
  for (const Variable& variable : model.weights()) trained.variables.push_back(variable.read());
  for (const Variable& variable : model.optimizer()->variables())
    trained.variables.push_back(variable.read());
  const keras::Tensors predicted = model.predict(data.x, {.batch_size = workload.batch_size, .verbose = 0});
  const std::span<const float> values = predicted[0].data<float>();
  trained.predictions.assign(values.begin(), values.end());
  return trained;
}

void expect_same_bits(const Trained& found, const Trained& expected) {
  EXPECT_EQ(found.history, expected.history);
  ASSERT_EQ(found.variables.size(), expected.variables.size());
  for (std::size_t i = 0; i < found.variables.size(); ++i)
    EXPECT_TRUE(found.variables[i] == expected.variables[i]) << "variable " << i;
  ASSERT_EQ(found.predictions.size(), expected.predictions.size());
  for (std::size_t i = 0; i < found.predictions.size(); ++i)
    ASSERT_EQ(found.predictions[i], expected.predictions[i]) << "prediction " << i;
}

/// A few full batches and one that is not.
Workload shortened(const std::string& name, std::int64_t batches) {
  Workload workload = find_workload(name);
  workload.num_rows = batches * workload.batch_size + workload.batch_size / 2 + 1;
  return workload;
}

TEST_F(SimulatedWorkloadsTest, IrisHasTheBitsOfTheCpuAtEveryNumberOfSteps) {
  const Workload workload = shortened("iris_mlp", 11);
  const Trained expected = train("cpu", 1, workload);
  for (const std::int64_t k : {1, 2, 3, 7, 100}) {
    SCOPED_TRACE(k);
    expect_same_bits(train("sim:ideal", k, workload), expected);
  }
  expect_same_bits(train("sim:ideal,max_steps_per_launch=4", 7, workload), expected);
}

TEST_F(SimulatedWorkloadsTest, WorkloadsOfEveryKindHaveTheBitsOfTheCpu) {
  for (const char* name : {"mnist_mlp", "imdb_fasttext", "mnist_cnn", "imdb_bilstm"}) {
    SCOPED_TRACE(name);
    const Workload workload = shortened(name, 3);
    expect_same_bits(train("sim:ideal", 3, workload, 1), train("cpu", 3, workload, 1));
  }
}

Workload small_model(std::function<keras::Model()> make_model) {
  Workload workload = shortened("iris_mlp", 5);
  workload.make_model = std::move(make_model);
  return workload;
}

TEST_F(SimulatedWorkloadsTest, LayersThatCarryStateHaveTheBitsOfTheCpu) {
  const std::vector<Workload> workloads = {
      small_model([] {
        return keras::Sequential({Dense({.units = 8, .activation = "relu"}), BatchNormalization({}),
                                  Dropout({.rate = 0.3}), Dense({.units = 3, .activation = "softmax"})});
      }),
      small_model([] {
        return keras::Sequential({keras::layers::Reshape({.target_shape = {4, 1}}),
                                  LSTM({.units = 6, .dropout = 0.2}),
                                  Dense({.units = 3, .activation = "softmax"})});
      }),
  };
  for (const Workload& workload : workloads) {
    const Trained expected = train("cpu", 4, workload);
    for (const std::int64_t k : {1, 4}) expect_same_bits(train("sim:ideal", k, workload), expected);
  }
}

// The order in which such rows are added up follows from their layout, which must not depend on how a program
// hands out its predictions (backends/cpu/plan/layout.cc).
TEST_F(SimulatedWorkloadsTest, SumsOverFewColumnsOfPredictionsHaveTheBitsOfTheCpu) {
  for (const std::int64_t columns : {3, 7}) {  // few in a vector of 8 lanes, of 16
    SCOPED_TRACE(columns);
    Workload workload = small_model([columns] {
      return keras::Sequential({Dense({.units = columns}), keras::layers::Softmax({}), Dense({.units = 3}),
                                keras::layers::LayerNormalization({})});
    });
    const Trained expected = train("cpu", 4, workload);
    for (const std::int64_t k : {1, 4}) expect_same_bits(train("sim:ideal", k, workload), expected);
  }
}

/// Calls of the device by a whole run of the benchmark and their time, once everything is compiled.
struct RunCost {
  runtime::TransferStatistics calls;
  double seconds = 0;
};

RunCost cost_of(const std::string& run_name, const std::string& device) {
  const auto client = runtime::make_client(device, default_client_options());
  set_default_client(client);
  set_random_seed(0);
  const std::function<void()> run = make_whole_run(run_name, 1);
  run();
  const runtime::TransferStatistics before = client->counts();
  const double start = client->now();
  run();
  return {client->counts().since(before), client->now() - start};
}

TEST_F(SimulatedWorkloadsTest, TheIrisProgramsTimeIsThatOfItsCalls) {
  const std::string device = "sim:call_60ms,clock=virtual";
  const RunCost short_epochs = cost_of("iris_fit_short", device);
  const RunCost long_epoch = cost_of("iris_fit_long", device);
  const RunCost automatic = cost_of("iris_fit_auto", device);
  // 105 training rows are 6 batches, 45 validation rows 3.
  EXPECT_EQ(short_epochs.calls.executions.calls, 20 * (6 + 3));
  EXPECT_EQ(long_epoch.calls.executions.calls, 105 + 3);
  EXPECT_EQ(automatic.calls.executions.calls, 20 * (1 + 1))
      << "one execution an epoch once the number of steps has settled";
  EXPECT_EQ(automatic.calls.executions.items, 20 * (6 + 3));
  for (const RunCost& cost : {short_epochs, long_epoch, automatic}) {
    EXPECT_EQ(cost.calls.compiles.calls, 0);
    const std::int64_t round_trips =
        cost.calls.executions.calls + cost.calls.reads.calls + cost.calls.writes.calls;
    EXPECT_NEAR(cost.seconds, 0.06 * static_cast<double>(round_trips), 1e-9);
  }
  // An epoch and its validation are read once each, and the optimizer's counter before the first; metrics are
  // set to zero in one write.
  EXPECT_EQ(short_epochs.calls.reads.calls, 20 * 2 + 1);
  EXPECT_EQ(long_epoch.calls.reads.calls, 2 + 1);
  EXPECT_EQ(automatic.calls.reads.calls, 20 * 2 + 1);
  EXPECT_EQ(short_epochs.calls.writes.calls, 20 * 2);
  EXPECT_EQ(long_epoch.calls.writes.calls, 2);
  EXPECT_EQ(automatic.calls.writes.calls, 20 * 2);
  EXPECT_NEAR(short_epochs.seconds - long_epoch.seconds, 0.06 * (261 - 113), 1e-9);
}

TEST_F(SimulatedWorkloadsTest, AFitThatADeviceInterruptsSaysWhereAndTheNextOneGoesOn) {
  const Workload workload = shortened("iris_mlp", 5);
  set_default_client(runtime::make_client("sim:ideal,fail_at_launch=4", default_client_options()));
  set_random_seed(11);
  const WorkloadData data = make_data(workload);
  keras::Model model = workload.make_model();
  keras::CompileOptions options = workload.compile_options();
  options.steps_per_execution = 2;
  model.compile(options);
  std::vector<ir::Literal> after_two_launches;
  const auto weights = [&] {
    std::vector<ir::Literal> values;
    for (const Variable& weight : model.weights()) values.push_back(weight.read());
    return values;
  };
  const auto fit = [&] {
    return model.fit(data.x, data.y,
                     {.batch_size = workload.batch_size, .epochs = 2, .verbose = 0, .shuffle = false});
  };
  // An epoch is 6 steps, 3 launches; the fourth launch is the second epoch's first.
  try {
    fit();
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_NE(std::string(error.what()).find("in epoch 2, step 1 of 6"), std::string::npos) << error.what();
  }
  const std::vector<ir::Literal> kept = weights();
  const double iterations = model.optimizer()->iteration_variable().read().at(0);
  EXPECT_EQ(iterations, 6);
  const Trained one_epoch = [&] {
    set_default_client(nullptr);
    set_random_seed(11);
    keras::Model other = workload.make_model();
    other.compile(workload.compile_options());
    other.fit(data.x, data.y,
              {.batch_size = workload.batch_size, .epochs = 1, .verbose = 0, .shuffle = false});
    Trained trained;
    for (const Variable& weight : other.weights()) trained.variables.push_back(weight.read());
    return trained;
  }();
  EXPECT_TRUE(kept == one_epoch.variables) << "the weights are those from before the launch that failed";
  EXPECT_NO_THROW(fit());
  EXPECT_EQ(model.optimizer()->iteration_variable().read().at(0), 18);
}

TEST_F(SimulatedWorkloadsTest, ADeviceThatIsGoneIsAnErrorForWhatItHeld) {
  const Workload workload = shortened("iris_mlp", 5);
  set_default_client(runtime::make_client("sim:ideal,lose_at_launch=3", default_client_options()));
  const WorkloadData data = make_data(workload);
  keras::Model model = workload.make_model();
  model.compile(workload.compile_options());
  EXPECT_THROW(model.fit(data.x, data.y, {.batch_size = workload.batch_size, .verbose = 0}), Error);
  try {
    (void)model.get_weights();
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    EXPECT_NE(std::string(error.what()).find("is gone"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::cli
