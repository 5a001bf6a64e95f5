// Models on devices whose memory the host cannot address, beside the CPU.
#include <gtest/gtest.h>

#include <thread>

#include "cornu/keras/trainer/fake_device_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using runtime::TransferStatistics;

class DevicesTest : public FakeDeviceTest {
 protected:
  TransferStatistics calls_of(const std::function<void()>& body) const {
    const TransferStatistics before = gpu_->counts();
    body();
    return gpu_->counts().since(before);
  }
  static Sequential compiled_model(StepsPerExecution steps = 1, bool stop_on_nan = false) {
    Sequential model = small_model(1, 0.2);
    CompileOptions options{.optimizer = "adam",
                           .loss = "categorical_crossentropy",
                           .metrics = {"accuracy"},
                           .steps_per_execution = steps};
    options.seed = 3;
    options.stop_on_nan = stop_on_nan;
    model.compile(options);
    return model;
  }
  FitOptions options(std::int64_t epochs) const { return {.batch_size = 20, .epochs = epochs, .verbose = 0}; }

  Flowers data_{90};  // the last of five batches is not full
};

TEST_F(DevicesTest, TrainingThereGivesTheBitsOfTheCpu) {
  Sequential here = compiled_model(2), there = compiled_model(2);
  const callbacks::History expected = here.fit(data_.x, data_.one_hot, options(3));
  const callbacks::History history =
      with_device(name_, [&] { return there.fit(data_.x, data_.one_hot, options(3)); });
  EXPECT_TRUE(same_bits(here.weights(), there.weights()));
  for (const char* name : {"loss", "accuracy"}) EXPECT_EQ(history.at(name), expected.at(name)) << name;
  EXPECT_GT(gpu_->counts().executions.calls, 0);
  const Tensor x = data_.x.rows(0, 10);
  EXPECT_EQ(there.predict(x, {.verbose = 0}).to_vector<float>(),
            here.predict(x, {.verbose = 0}).to_vector<float>())
      << "on the CPU";
  EXPECT_EQ(with_device(name_, [&] { return there.predict(x, {.verbose = 0}).to_vector<float>(); }),
            here.predict(x, {.verbose = 0}).to_vector<float>());
}

TEST_F(DevicesTest, AModelStaysWhereItWasCompiled) {
  Sequential model = with_device(name_, [] { return compiled_model(); });
  EXPECT_EQ(calls_of([&] { model.fit(data_.x, data_.one_hot, options(1)); }).executions.items, 5);
  EXPECT_EQ(calls_of([&] {
              model.evaluate(data_.x, data_.one_hot, {.batch_size = 30, .verbose = 0});
            }).executions.items,
            3);
  EXPECT_EQ(calls_of([&] {
              const DeviceScope scope("CPU:0");
              model.evaluate(data_.x, data_.one_hot, {.batch_size = 30, .verbose = 0});
            }).executions.items,
            0)
      << "a scope around a run decides";
}

TEST_F(DevicesTest, AnEpochIsOneUploadItsExecutionsAndOneRead) {
  Sequential model = with_device(name_, [] { return compiled_model(5); });
  model.fit(data_.x, data_.one_hot, options(1));
  const TransferStatistics calls = calls_of([&] { model.fit(data_.x, data_.one_hot, options(4)); });
  EXPECT_EQ(calls.compiles.calls, 0);
  EXPECT_EQ(calls.executions.calls, 4);
  EXPECT_EQ(calls.executions.items, 20);
  EXPECT_EQ(calls.writes.calls, 4) << "metrics from zero";
  EXPECT_EQ(calls.reads.calls, 5) << "logs, and once how many steps had been trained";
  EXPECT_EQ(calls.copies.calls, 0);
}

TEST_F(DevicesTest, TheFaultWordAndTheLogsComeInOneRead) {
  Sequential model = with_device(name_, [] { return compiled_model(5, true); });
  model.fit(data_.x, data_.one_hot, options(1));
  const TransferStatistics calls = calls_of([&] { model.fit(data_.x, data_.one_hot, options(4)); });
  EXPECT_EQ(calls.executions.calls, 4);
  EXPECT_EQ(calls.writes.calls, 4);
  EXPECT_EQ(calls.reads.calls, 5);
}

TEST_F(DevicesTest, WeightsComeInOneRead) {
  Sequential model = with_device(name_, [] { return compiled_model(); });
  model.fit(data_.x, data_.one_hot, options(1));
  const TransferStatistics calls = calls_of([&] { (void)model.get_weights(); });
  EXPECT_EQ(calls.reads.calls, 1);
  EXPECT_EQ(calls.reads.items, 4);
}

TEST_F(DevicesTest, AveragesOfWeightsComeInOneRead) {
  const auto trained = [&](const std::string& device) {
    return with_device(device, [&] {
      set_random_seed(1);
      Sequential model = small_model();
      model.compile({.optimizer = optimizers::SGD({.use_ema = true, .ema_momentum = 0.5}),
                     .loss = "categorical_crossentropy"});
      model.fit(data_.x, data_.one_hot, options(1));
      return model;
    });
  };
  Sequential here = trained("CPU:0"), there = trained(name_);
  here.optimizer()->swap_averages();
  const TransferStatistics swapping = calls_of([&] { there.optimizer()->swap_averages(); });
  EXPECT_EQ(swapping.reads.calls, 1);
  EXPECT_EQ(swapping.reads.items, 8) << "weights and averages";
  EXPECT_TRUE(same_bits(here.weights(), there.weights()));
  there = trained(name_);
  EXPECT_EQ(calls_of([&] { there.optimizer()->load_averages(); }).reads.calls, 1);
}

/// Predicts with the model on the CPU after each batch.
class PredictingCallback : public callbacks::Callback {
 public:
  explicit PredictingCallback(Tensor x) : x_(std::move(x)) {}
  void on_train_batch_end(const callbacks::BatchRange&, LazyLogs&) override {
    const DeviceScope scope("CPU:0");
    sums.push_back(ops::sum(model()->predict(x_, {.verbose = 0})).item<float>());
  }
  std::vector<float> sums;

 private:
  Tensor x_;
};

TEST_F(DevicesTest, ACallbackMayUseTheModelElsewhereWhileItTrains) {
  Sequential here = compiled_model(), there = compiled_model();
  PredictingCallback callback_here(data_.x), callback_there(data_.x);
  FitOptions with_here = options(2), with_there = options(2);
  with_here.callbacks = {&callback_here};
  with_there.callbacks = {&callback_there};
  here.fit(data_.x, data_.one_hot, with_here);
  with_device(name_, [&] { there.fit(data_.x, data_.one_hot, with_there); });
  EXPECT_TRUE(same_bits(here.weights(), there.weights()));
  EXPECT_EQ(callback_there.sums, callback_here.sums);
}

/// Resets the weights to those of the first epoch.
class ResettingCallback : public callbacks::Callback {
 public:
  void on_epoch_begin(std::int64_t epoch) override {
    if (epoch == 0)
      first_ = model()->get_weights();
    else
      model()->set_weights(first_);
  }

 private:
  std::vector<Tensor> first_;
};

TEST_F(DevicesTest, WhatACallbackAssignsReachesTheDevice) {
  Sequential here = compiled_model(), there = compiled_model();
  ResettingCallback callback_here, callback_there;
  FitOptions with_here = options(3), with_there = options(3);
  with_here.callbacks = {&callback_here};
  with_there.callbacks = {&callback_there};
  here.fit(data_.x, data_.one_hot, with_here);
  with_device(name_, [&] { there.fit(data_.x, data_.one_hot, with_there); });
  EXPECT_TRUE(same_bits(here.weights(), there.weights()));
}

TEST_F(DevicesTest, ADeviceThatFailsInTheMiddleLeavesTheWeightsOfTheStepBefore) {
  Sequential model = with_device(name_, [] { return compiled_model(5); });
  FitOptions in_order = options(1);
  in_order.shuffle = false;
  model.fit(data_.x, data_.one_hot, in_order);
  Sequential expected = compiled_model(5);
  expected.fit(data_.x, data_.one_hot, in_order);
  FitOptions two_steps = in_order;
  two_steps.steps_per_epoch = 2;
  expected.fit(data_.x, data_.one_hot, two_steps);

  gpu_->fail_after_steps(2);
  FitOptions two_epochs = in_order;
  two_epochs.epochs = 2;
  expect_contains(
      error_of([&] { model.fit(data_.x, data_.one_hot, two_epochs); }), ErrorCode::kUnavailable,
      {"the device failed", "in epoch 1, step 3 of 5", "all weights are as they were before that step"});
  EXPECT_TRUE(same_bits(model.weights(), expected.weights()));
  const callbacks::History history = model.fit(data_.x, data_.one_hot, in_order);
  EXPECT_EQ(history.num_steps, 5);
}

TEST_F(DevicesTest, AModelWhoseDeviceIsGoneSaysSoAndComesBackWithIt) {
  Sequential model = with_device(name_, [] { return compiled_model(); });
  model.fit(data_.x, data_.one_hot, options(1));
  gpu_->go_away();
  expect_contains(error_of([&] { (void)model.get_weights(); }), ErrorCode::kUnavailable,
                  {"cannot be read from device 0 of", "dense"});
  expect_contains(error_of([&] { model.fit(data_.x, data_.one_hot, options(1)); }), ErrorCode::kUnavailable,
                  {"does not answer"});
  gpu_->come_back();
  model.fit(data_.x, data_.one_hot, options(1));
}

TEST_F(DevicesTest, AFitWhoseDeviceGoesAwayForGoodSaysThatItsWeightsAreLost) {
  const std::shared_ptr<runtime::Client> ideal = runtime::make_client("sim:ideal,lose_at_launch=2");
  Sequential model = with_device(add_devices(ideal).at(0), [] { return compiled_model(); });
  expect_contains(error_of([&] { model.fit(data_.x, data_.one_hot, options(1)); }), ErrorCode::kUnavailable,
                  {"went away in launch 2", "in epoch 1, step 2 of 5", "its weights are lost"});
  expect_contains(error_of([&] { (void)model.get_weights(); }), ErrorCode::kUnavailable,
                  {"is gone", "and what it held with it"});
  remove_devices(ideal);
}

TEST_F(DevicesTest, TwoModelsTrainOnTwoClientsAtOnce) {
  Sequential here = compiled_model(), there = with_device(name_, [] { return compiled_model(); });
  Sequential expected = compiled_model();
  expected.fit(data_.x, data_.one_hot, options(4));
  std::thread other([&] { there.fit(data_.x, data_.one_hot, options(4)); });
  here.fit(data_.x, data_.one_hot, options(4));
  other.join();
  EXPECT_TRUE(same_bits(here.weights(), expected.weights()));
  EXPECT_TRUE(same_bits(there.weights(), expected.weights()));
}

TEST_F(DevicesTest, ExplainHasATableOfCalls) {
  Sequential model = with_device(name_, [] { return compiled_model(); });
  model.fit(data_.x, data_.one_hot, options(1));
  const std::string text = model.train_program(data_.x, data_.one_hot, options(1)).explain;
  for (const char* part : {"calls of fake (client", "how often", "execute", "write", "read"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(DevicesTest, OpByOpStepsRunThere) {
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "categorical_crossentropy", .run_eagerly = true});
  const Tensor x = data_.x.rows(0, 20), y = data_.one_hot.rows(0, 20);
  const TransferStatistics calls = calls_of([&] {
    const DeviceScope scope(name_);
    model.fit(x, y, {.batch_size = 20, .epochs = 1, .verbose = 0});
  });
  EXPECT_GT(calls.executions.calls, 5);
}

}  // namespace
}  // namespace cornu::inline v0::keras
