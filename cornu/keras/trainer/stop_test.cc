/// A stop ends a run, not the training: a run resumed from the stop gives the bits of an uninterrupted run.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class StopTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(StopTest);

constexpr std::int64_t kEpochs = 4, kStepsOfEpoch = 6;

Sequential stopped_model(const optimizers::AdamOptions& adam = {}) {
  Sequential model({layers::Dense({.units = 6, .activation = "relu"}), layers::Dropout({.rate = 0.3}),
                    layers::BatchNormalization(), layers::Dense({.units = 3, .activation = "softmax"})});
  model.compile(
      {.optimizer = optimizers::Adam(adam), .loss = "log_cosh", .metrics = {"accuracy"}, .seed = 5});
  return model;
}

/// Stops a run after a number of steps of epoch 1; 0: in its on_epoch_begin; kStepsOfEpoch: in its on_epoch_end.
class StopAt : public callbacks::Callback {
 public:
  using Act = std::function<void(Model& model)>;
  StopAt(std::int64_t step, Act act) : step_(step), act_(std::move(act)) {}
  StateValues at_end;

  std::string name() const override { return "StopAt"; }
  std::int64_t max_batches_per_call() const override { return 1; }
  void on_epoch_begin(std::int64_t epoch) override {
    epoch_ = epoch;
    if (epoch == 1 && step_ == 0) act_(*model());
  }
  void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    if (epoch_ == 1 && batches.last + 1 == step_ && step_ < kStepsOfEpoch) act_(*model());
  }
  void on_epoch_end(std::int64_t epoch, Logs&) override {
    if (epoch == 1 && step_ == kStepsOfEpoch) act_(*model());
  }
  void on_train_end(Logs&) override { at_end = model()->training_state(); }

 private:
  std::int64_t step_, epoch_ = 0;
  Act act_;
};

FitOptions options_with(std::vector<callbacks::CallbackEntry> callbacks, StateValues resume_from = {}) {
  return {.batch_size = 4,
          .epochs = kEpochs,
          .verbose = 0,
          .callbacks = std::move(callbacks),
          .validation_split = 0.2,
          .resume_from = std::move(resume_from)};
}

struct Whole {
  Flowers data{30};  // 24 rows and 6 for validation
  optimizers::AdamOptions adam = {};
  callbacks::History history = {};
  Sequential model = trained();  // last: it uses the others

  Sequential trained() {
    set_random_seed(1);
    Sequential made = stopped_model(adam);
    StopAt never(-1, {});
    history = made.fit(data.x, data.one_hot, options_with({&never}));
    return made;
  }
  /// Resumes from a state in a new model and compares.
  void expect_goes_on(const StateValues& state, std::int64_t step, const std::string& order) {
    ASSERT_FALSE(state.empty()) << order;
    set_random_seed(2);
    Sequential resumed = stopped_model(adam);
    StopAt never(-1, {});
    const auto rest = resumed.fit(data.x, data.one_hot, options_with({&never}, state));
    EXPECT_EQ(rest.num_steps, (kEpochs - 1) * kStepsOfEpoch - step) << order;
    EXPECT_TRUE(same_bits(model.weights(), resumed.weights())) << order << ", step " << step;
    for (const auto& [name, values] : rest.history)
      EXPECT_EQ(values, std::vector<double>(history[name].end() - static_cast<std::ptrdiff_t>(values.size()),
                                            history[name].end()))
          << name << ", " << order << ", step " << step;
  }
};

/// Stops a run by `act`, resumes it from the state that `state` returns after the stop, and compares.
void stop_and_go_on(const std::string& order, const StopAt::Act& act,
                    const std::function<StateValues(Model& after, const StopAt& stop)>& state,
                    const optimizers::AdamOptions& adam = {},
                    const std::vector<std::int64_t>& steps = {3, kStepsOfEpoch}) {
  Whole whole{.adam = adam};
  for (const std::int64_t step : steps) {
    set_random_seed(1);
    Sequential model = stopped_model(adam);
    StopAt stop(step, act);
    try {
      EXPECT_EQ(model.fit(whole.data.x, whole.data.one_hot, options_with({&stop})).num_steps,
                kStepsOfEpoch + step);
    } catch (const std::runtime_error&) {
      EXPECT_EQ(order, "exception");
    }
    whole.expect_goes_on(state(model, stop), step, order);
  }
}

TEST_P(StopTest, GoesOnToTheBitWhateverStoppedItAndWheneverTheStateWasTaken) {
  StateValues taken;
  const auto that = [&](Model&, const StopAt&) { return taken; };
  const auto at_end = [](Model&, const StopAt& stop) { return stop.at_end; };
  const auto after = [](Model& model, const StopAt&) { return model.training_state(); };
  const auto stop = [](Model& model) { model.set_stop_training(true); };
  stop_and_go_on(
      "state before",
      [&](Model& model) {
        taken = model.training_state();
        stop(model);
      },
      that);
  stop_and_go_on(
      "state after",
      [&](Model& model) {
        stop(model);
        taken = model.training_state();
      },
      that);
  stop_and_go_on("callback", stop, at_end);
  stop_and_go_on("after fit", stop, after, {}, {0, 3, kStepsOfEpoch});
  stop_and_go_on("another thread", [&](Model& model) { std::thread([&] { stop(model); }).join(); }, after);
  stop_and_go_on("exception", [](Model&) { throw std::runtime_error("the power is off"); }, after);
  stop_and_go_on("averaged weights", stop, after, {.use_ema = true, .ema_momentum = 0.5});
}

TEST_P(StopTest, ABackupStaysAndTheSameCallGoesOn) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) /
                                       fmt::format("cornu_stop_test_{}_{}", ::getpid(), GetParam());
  for (const bool deletes : {true, false}) {
    for (const std::int64_t step : {std::int64_t{3}, kStepsOfEpoch}) {
      const std::string backup_dir = (folder / fmt::format("{}{}", deletes, step)).string();
      const auto backup = [&] {
        return callbacks::BackupAndRestore({.backup_dir = backup_dir, .delete_checkpoint = deletes});
      };
      Whole whole;
      std::int64_t num_steps = 0;
      for (const bool stops : {true, false}) {
        set_random_seed(stops ? 1 : 2);
        Sequential model = stopped_model();
        StopAt stop(stops ? step : -1, [](Model& running) { running.set_stop_training(true); });
        num_steps += model.fit(whole.data.x, whole.data.one_hot, options_with({&stop, backup()})).num_steps;
        EXPECT_EQ(std::filesystem::exists(backup().path()), stops || !deletes);
        if (!stops) {
          EXPECT_TRUE(same_bits(whole.model.weights(), model.weights()));
        }
      }
      EXPECT_EQ(num_steps, kEpochs * kStepsOfEpoch);
    }
  }
  std::filesystem::remove_all(folder);
}

TEST_P(StopTest, WhatIsGivenOtherValuesAfterAStopIsInTheState) {
  const Flowers data(30);
  Sequential model = stopped_model();
  StopAt stop(3, [](Model& running) { running.set_stop_training(true); });
  model.fit(data.x, data.one_hot, options_with({&stop}));
  EXPECT_EQ(model.training_state().at("run/step").item<std::int64_t>(), 3);
  const Variable bias = model.weights()[1];
  bias.assign(ops::ones(bias.shape()));
  EXPECT_EQ(model.training_state().at("model/dense/bias").to_vector<float>(), std::vector<float>(6, 1));
  EXPECT_EQ(model.training_state().at("run/step").item<std::int64_t>(), 3);
  const auto step = function([&](const Tensor& x) { bias.assign(bias.value() + x); });
  step(Tensor(2.0F));
  EXPECT_EQ(model.training_state().at("model/dense/bias").to_vector<float>(), std::vector<float>(6, 3))
      << "by a program";
  model.train_on_batch(data.x, data.one_hot);
  EXPECT_FALSE(model.training_state().contains("run/step")) << "it has trained since";
}

TEST_P(StopTest, AnEpochThatIsStoppedBeforeItsFirstStepIsNotInTheHistory) {
  const Flowers data(30);
  Sequential model = stopped_model();
  StopAt stop(0, [](Model& running) { running.set_stop_training(true); });
  std::int64_t begun = 0, ended = 0, validated = 0;
  callbacks::LambdaCallback count({.on_epoch_begin = [&](std::int64_t) { ++begun; },
                                   .on_epoch_end = [&](std::int64_t, Logs&) { ++ended; },
                                   .on_test_begin = [&] { ++validated; }});
  const auto history = model.fit(data.x, data.one_hot, options_with({&stop, &count}));
  EXPECT_EQ(history.num_steps, kStepsOfEpoch);
  EXPECT_EQ(history.epoch, std::vector<std::int64_t>{0});
  EXPECT_EQ(history["loss"].size(), 1u);
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(validated, 1);
  EXPECT_EQ(model.training_state().at("run/epoch").item<std::int64_t>(), 1);
  EXPECT_EQ(model.training_state().at("run/step").item<std::int64_t>(), 0);
}

TEST_P(StopTest, AStopInsideAnEpochStaysOneWhereEarlyStoppingEndsThatEpoch) {
  const Flowers data(30);
  Sequential model = stopped_model();
  StopAt stop(3, [](Model& running) { running.set_stop_training(true); });
  callbacks::EarlyStopping early({.monitor = "val_loss", .min_delta = 1e6, .patience = 1});
  model.fit(data.x, data.one_hot, options_with({&stop, &early}));
  EXPECT_EQ(model.training_state().at("run/step").item<std::int64_t>(), 3);
}

TEST_P(StopTest, ATokenThatAsksBeforeFitBeginsIsNotLost) {
  const Flowers data(30);
  Sequential model = stopped_model();
  std::stop_source source;
  source.request_stop();
  bool began = false;
  callbacks::LambdaCallback begin({.on_train_begin = [&] { began = true; }});
  const auto history = model.fit(data.x, data.one_hot,
                                 {.verbose = 0, .callbacks = {&begin}, .stop_token = source.get_token()});
  EXPECT_EQ(history.num_steps, 0);
  EXPECT_FALSE(began);
  EXPECT_TRUE(model.get_weights().empty()) << "it was not built before";
  EXPECT_GT(model.fit(data.x, data.one_hot, {.verbose = 0}).num_steps, 0);
}

TEST_P(StopTest, ATokenStopsARunAndACallbackCannotTakeThatBack) {
  Whole whole;
  set_random_seed(1);
  Sequential model = stopped_model();
  std::stop_source source;
  StopAt stop(3, [&](Model& running) {
    source.request_stop();
    running.set_stop_training(false);
  });
  FitOptions options = options_with({&stop});
  options.stop_token = source.get_token();
  EXPECT_EQ(model.fit(whole.data.x, whole.data.one_hot, options).num_steps, kStepsOfEpoch + 3);
  whole.expect_goes_on(model.training_state(), 3, "token");
}

/// A class like std::stop_token.
struct OtherToken {
  bool stop_possible() const { return true; }
  bool stop_requested() const { return false; }
};

TEST(StopTokenTest, HoldsAStdStopTokenAndRefusesOthers) {
  EXPECT_FALSE(StopToken().as<std::stop_token>().stop_possible());
  std::stop_source source;
  const StopToken token = source.get_token();
  const StopToken copy = token;
  source.request_stop();
  EXPECT_TRUE(copy.as<std::stop_token>().stop_requested());
  expect_error(ErrorCode::kInvalidArgument, {"[fit]", "stop_token must be a std::stop_token"},
               [] { StopToken(OtherToken()).as<std::stop_token>(); });
}

TEST(StopCompilationTest, AStopWhileItCompilesActsSoonAndLeavesNoTrace) {
  using std::chrono::steady_clock;
  const Tensor x = Tensor::zeros({4, 3}), y = Tensor::zeros({4, 1});
  for (const bool by_token : {true, false}) {
    Sequential model;
    for (int i = 0; i < 40; ++i)
      model.add(layers::Dense({.units = (by_token ? 8 : 80) + i, .activation = "tanh"}));
    model.add(layers::Dense({.units = 1}));
    model.compile({.optimizer = "adam", .loss = "mse"});
    std::stop_source source;
    steady_clock::time_point asked;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      asked = steady_clock::now();
      by_token ? (void)source.request_stop() : model.set_stop_training(true);
    });
    const auto history = model.fit(x, y, {.verbose = 0, .stop_token = source.get_token()});
    const std::chrono::duration<double> seconds = steady_clock::now() - asked;
    other.join();
    EXPECT_EQ(history.num_steps, 0) << "it has compiled within 0.02 s";
    EXPECT_TRUE(model.get_weights().empty());
    const auto start = steady_clock::now();
    EXPECT_EQ(model.fit(x, y, {.verbose = 0}).num_steps, 1);
    const std::chrono::duration<double> whole_run = steady_clock::now() - start;
    EXPECT_LT(seconds.count(), std::max(0.5, whole_run.count() / 4))
        << "0.1 s on an idle machine, where the whole run takes " << whole_run.count() << " s";
  }
}

TEST_P(StopTest, ACallbackMayDestroyTheModelThatIsFitted) {
  const Flowers data(20);
  auto model = std::make_unique<Sequential>(stopped_model());
  std::int64_t num_calls = 0;
  callbacks::LambdaCallback destroys(
      {.on_train_batch_end = [&](const callbacks::BatchRange&, LazyLogs&) { model.reset(); }});
  StopAt looks(3, [&](Model& running) { num_calls += running.weights().empty() ? 0 : 1; });
  const auto history = model->fit(
      data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&destroys, &looks}});
  EXPECT_EQ(history.num_steps, 10);
  EXPECT_EQ(num_calls, 1);
  EXPECT_EQ(model, nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::keras
