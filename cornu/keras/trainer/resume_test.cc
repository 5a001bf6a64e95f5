/// A run that is resumed from a state saved inside or between epochs, in a new model, gives the bits of the
/// uninterrupted run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>

#include "cornu/keras/config/serialize.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/seed_source.h"

namespace cornu::inline v0::keras {
namespace {

class ResumeTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(ResumeTest);

/// Keeps the state after some step of an epoch or, with step 0, after the epoch before.
class StateKeeper : public callbacks::Callback {
 public:
  StateKeeper(std::int64_t epoch, std::int64_t step) : wanted_epoch_(epoch), wanted_step_(step) {}
  StateValues state;

  std::int64_t max_batches_per_call() const override {
    return wanted_step_ > 0 ? 1 : Callback::max_batches_per_call();
  }
  void on_epoch_begin(std::int64_t epoch) override { epoch_ = epoch; }
  void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    if (epoch_ == wanted_epoch_ && batches.last + 1 == wanted_step_) state = model()->training_state();
  }
  void on_epoch_end(std::int64_t epoch, Logs&) override {
    if (wanted_step_ == 0 && epoch + 1 == wanted_epoch_) state = model()->training_state();
  }

 private:
  std::int64_t wanted_epoch_, wanted_step_;
  std::int64_t epoch_ = 0;
};

std::vector<std::string> differences(const StateValues& a, const StateValues& b) {
  std::vector<std::string> paths;
  for (const auto& [path, value] : a) {
    const auto found = b.find(path);
    if (found == b.end() || !(found->second.literal() == value.literal())) paths.push_back(path);
  }
  for (const auto& [path, value] : b)
    if (!a.contains(path)) paths.push_back(path);
  return paths;
}

struct ResumeCase {
  std::function<Sequential()> make;  // and compile
  std::function<std::vector<callbacks::CallbackEntry>()> callbacks = [] {
    return std::vector<callbacks::CallbackEntry>();
  };
  FitOptions options = {};
  /// True if steps_per_execution is tuned to measured time, which differs in each run.
  bool tunes_steps = false;
  /// Checks that the uninterrupted run did the thing whose state is to be kept.
  std::function<void(const callbacks::History&)> check_whole = [](const callbacks::History&) {};
};

/// The state without values that depend on measured time.
StateValues without_tuned_steps(StateValues state) {
  for (const char* kind : {"train", "test", "predict"})
    EXPECT_EQ(state.erase(fmt::format("trainer/{}_steps_per_execution", kind)), 1U);
  return state;
}

/// Trains without interruption, keeping the state at a position; then resumes there in a new model with other
/// random numbers.
void expect_same_bits(const ResumeCase& tested, const Tensors& x, const Tensors& y, std::int64_t epoch,
                      std::int64_t step) {
  const std::string place = fmt::format("epoch {}, step {}", epoch, step);
  FitOptions options = tested.options;
  options.verbose = 0;
  set_random_seed(1);
  Sequential whole = tested.make();
  StateKeeper keeper(epoch, step);
  options.callbacks = tested.callbacks();
  options.callbacks.emplace_back(&keeper);
  const auto wanted = whole.fit(x, y, options);
  ASSERT_FALSE(keeper.state.empty()) << place;
  tested.check_whole(wanted);

  set_random_seed(2);
  Sequential resumed = tested.make();
  StateKeeper other(-1, -1);
  options.callbacks = tested.callbacks();
  options.callbacks.emplace_back(&other);
  options.resume_from = keeper.state;
  const auto history = resumed.fit(x, y, options);
  StateValues state = whole.training_state(), resumed_state = resumed.training_state();
  if (tested.tunes_steps) {
    state = without_tuned_steps(std::move(state));
    resumed_state = without_tuned_steps(std::move(resumed_state));
  }
  EXPECT_EQ(differences(state, resumed_state), std::vector<std::string>()) << place;
  ASSERT_FALSE(history.epoch.empty()) << place;
  EXPECT_EQ(history.epoch.front(), epoch);
  EXPECT_EQ(history.epoch.back(), wanted.epoch.back()) << place;
  for (const auto& [name, values] : history.history) {
    const std::vector<double>& all = wanted[name];
    EXPECT_EQ(values, std::vector<double>(all.end() - static_cast<std::ptrdiff_t>(values.size()), all.end()))
        << name << ", " << place;
  }
}

Sequential dropout_model(const CompileOptions& base = {.optimizer = "adam"}) {
  Sequential model({layers::Dense({.units = 6, .activation = "relu"}), layers::Dropout({.rate = 0.3}),
                    layers::BatchNormalization(), layers::GaussianNoise({.stddev = 0.1}),
                    layers::Dense({.units = 3, .activation = "softmax"})});
  CompileOptions options = base;
  if (!options.loss.is_set()) options.loss = "log_cosh";
  options.metrics = {"accuracy", "mae"};
  model.compile(options);
  return model;
}

TEST_P(ResumeTest, DropoutAndShufflingGoOn) {
  const Flowers data(26);
  for (const auto& [epoch, step] : {std::pair{1, 2}, std::pair{1, 0}, std::pair{0, 7}}) {
    expect_same_bits({.make = [] { return dropout_model(); },
                      .options = {.batch_size = 4, .epochs = 3, .validation_split = 0.2}},
                     data.x, data.one_hot, epoch, std::min(step, 5));
  }
}

TEST_P(ResumeTest, SeveralStepsAnExecutionAndAnotherNumberOfThemGoOn) {
  const Flowers data(24);
  int calls = 0;
  const auto make = [&] {
    const int steps = calls++ % 2 == 0 ? 2 : 3;
    return dropout_model({.optimizer = "sgd", .steps_per_execution = steps});
  };
  set_random_seed(1);
  Sequential whole = make();
  StateKeeper keeper(1, 4);
  whole.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&keeper}});
  Sequential resumed = make();
  StateKeeper other(-1, -1);
  resumed.fit(
      data.x, data.one_hot,
      {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&other}, .resume_from = keeper.state});
  EXPECT_TRUE(same_bits(whole.weights(), resumed.weights()));
}

TEST_P(ResumeTest, StepsThatRunOpByOpGoOn) {
  const Flowers data(22);
  for (const auto& [epoch, step] : {std::pair{1, 2}, std::pair{1, 0}})
    expect_same_bits({.make = [] { return dropout_model({.optimizer = "adam", .run_eagerly = true}); },
                      .options = {.batch_size = 4, .epochs = 2, .validation_split = 0.2}},
                     data.x, data.one_hot, epoch, step);
}

TEST_P(ResumeTest, StepsThatAreTunedGoOn) {
  const Flowers data(24);
  const auto make = [] { return dropout_model({.optimizer = "sgd", .steps_per_execution = "auto"}); };
  for (const auto& [epoch, step] : {std::pair{1, 2}, std::pair{2, 0}})
    expect_same_bits({.make = make,
                      .options = {.batch_size = 4, .epochs = 4, .validation_split = 0.2},
                      .tunes_steps = true},
                     data.x, data.one_hot, epoch, step);
}

TEST_P(ResumeTest, TheTunedNumberOfStepsIsWhatARunGoesOnWith) {
  const Flowers data(24);
  const auto make = [] { return dropout_model({.optimizer = "sgd", .steps_per_execution = "auto"}); };
  Sequential whole = make(), resumed = make();
  StateKeeper keeper(1, 0);
  whole.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&keeper}});
  class Counts : public callbacks::Callback {
   public:
    std::vector<std::int64_t> counts;
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      counts.push_back(batches.count);
    }
  };
  Counts counts;
  StateValues state = keeper.state;
  state.at("trainer/train_steps_per_execution") = Tensor::of<std::int64_t>({1}, {3});
  resumed.fit(data.x, data.one_hot,
              {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&counts}, .resume_from = state});
  EXPECT_EQ(counts.counts, (std::vector<std::int64_t>{3, 3}));
  EXPECT_TRUE(same_bits(whole.weights(), resumed.weights()));
}

/// Draws noise in calls without a seed.
Sequential model_without_seeds(bool run_eagerly) {
  Sequential model({layers::Dense({.units = 5, .activation = "tanh"}),
                    layers::Lambda(layers::LambdaOptions{
                        .function = [](const Tensor& x) { return x + random::normal(x.shape()); }}),
                    layers::Dense({.units = 3})});
  model.compile({.optimizer = "adam", .loss = "mse", .run_eagerly = run_eagerly});
  return model;
}

TEST_P(ResumeTest, RandomNumbersWithoutASeedGoOn) {
  const Flowers data(22);
  for (const bool run_eagerly : {false, true}) {
    SCOPED_TRACE(run_eagerly ? "eagerly" : "compiled");
    for (const auto& [epoch, step] : {std::pair{1, 2}, std::pair{2, 0}})
      expect_same_bits({.make = [&] { return model_without_seeds(run_eagerly); },
                        .options = {.batch_size = 4, .epochs = 3, .validation_split = 0.2}},
                       data.x, data.one_hot, epoch, step);
  }
}

TEST_P(ResumeTest, TheSeedOfTheProcessStaysWhenAStateIsRefused) {
  const Flowers data(12);
  FitOptions options{.batch_size = 4, .epochs = 2, .verbose = 0};
  Sequential saved = model_without_seeds(false);
  StateKeeper keeper(1, 1);
  options.callbacks = {&keeper};
  saved.fit(data.x, data.one_hot, options);
  set_random_seed(43);
  const std::uint64_t seed = default_seed_generator()->seed();
  Sequential other = model_without_seeds(false);
  options.callbacks = {};
  options.resume_from = keeper.state;
  options.resume_from.erase("step/default_seed_generator/counter");
  expect_contains(error_of([&] { other.fit(data.x, data.one_hot, options); }), ErrorCode::kInvalidArgument,
                  {"[fit]", "has no \"step/default_seed_generator/counter\""});
  EXPECT_EQ(default_seed_generator()->seed(), seed);
  options.resume_from = keeper.state;
  other.fit(data.x, data.one_hot, options);
  EXPECT_TRUE(same_bits(saved.weights(), other.weights()));
  EXPECT_NE(default_seed_generator()->seed(), seed);
}

/// The state of a model inside the second epoch.
StateValues kept_state(Sequential model, const Flowers& data, const FitOptions& base) {
  StateKeeper keeper(1, 1);
  FitOptions options = base;
  options.callbacks = {&keeper};
  model.fit(data.x, data.one_hot, options);
  return keeper.state;
}

/// Draws without a seed only in its loss, that is, only in the trace of a step.
Sequential model_with_noisy_loss() {
  Sequential model({layers::Dense({.units = 3})});
  model.compile({.optimizer = "adam", .loss = [](const Tensor& y_true, const Tensor& y_pred) {
                   return ops::mean(ops::square(y_pred - y_true - random::normal(y_pred.shape())),
                                    {.axis = -1});
                 }});
  return model;
}

TEST_P(ResumeTest, AProcessThatHasDrawnNothingDrawsNothingWhenAStateIsRefused) {
  const Flowers data(12);
  FitOptions options{.batch_size = 4, .epochs = 2, .verbose = 0};
  const StateValues state = kept_state(model_with_noisy_loss(), data, options);
  set_random_seed(43);
  Sequential other = model_with_noisy_loss();
  other.build({kUnknown, 4});
  const std::uint64_t next = detail::seed_source_state().next;
  ASSERT_EQ(detail::known_default_seed_generator(), nullptr);
  const auto expect_refused = [&](const std::string& path) {
    expect_contains(error_of([&] { other.fit(data.x, data.one_hot, options); }), ErrorCode::kInvalidArgument,
                    {"[fit]", path});
    EXPECT_EQ(detail::known_default_seed_generator(), nullptr) << path;
    EXPECT_EQ(detail::seed_source_state().next, next) << path;
  };
  options.resume_from = state;
  options.resume_from.at("step/default_seed_generator/seed") = Tensor::of<std::int64_t>({1}, {7});
  expect_refused("step/default_seed_generator/seed");
  options.resume_from = state;
  options.resume_from.erase("step/default_seed_generator/counter");
  expect_refused("step/default_seed_generator/counter");
}

TEST_P(ResumeTest, ARunThatGoesOnDrawsAsManyDefaultSeedsAsOneThatBegins) {
  const Flowers data(12);
  FitOptions options{.batch_size = 4, .epochs = 2, .verbose = 0};
  set_random_seed(43);
  const StateValues state = kept_state(model_with_noisy_loss(), data, options);
  const std::uint64_t next = detail::seed_source_state().next;
  set_random_seed(43);
  Sequential resumed = model_with_noisy_loss();
  options.resume_from = state;
  resumed.fit(data.x, data.one_hot, options);
  EXPECT_EQ(detail::seed_source_state().next, next);
}

/// Collects the library's log messages while it lives.
class Messages {
 public:
  Messages() : before_(set_log_sink([this](const LogMessage& message) { text += message.text; })) {}
  ~Messages() { set_log_sink(before_); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  std::string text;

 private:
  LogSink before_;
};

TEST_P(ResumeTest, StatesFromBeforeTheSeedWasInThemGoOn) {
  const Flowers data(12);
  FitOptions options{.batch_size = 4, .epochs = 2, .verbose = 0};
  set_random_seed(43);
  Sequential saved = model_without_seeds(false);
  StateKeeper keeper(1, 1);
  options.callbacks = {&keeper};
  saved.fit(data.x, data.one_hot, options);
  StateValues older = keeper.state;
  older.erase("step/default_seed_generator/seed");
  auto counter = older.extract("step/default_seed_generator/counter");
  counter.key() = "step/seed_generator_state";
  older.insert(std::move(counter));

  set_random_seed(43);
  Sequential resumed = model_without_seeds(false);
  StateKeeper other(-1, -1);
  options.callbacks = {&other};
  options.resume_from = older;
  const Messages messages;
  resumed.fit(data.x, data.one_hot, options);
  EXPECT_EQ(differences(saved.training_state(), resumed.training_state()), std::vector<std::string>());
  EXPECT_NE(messages.text.find("before states held the seed"), std::string::npos) << messages.text;

  options.resume_from.at("step/seed_generator_state") = Tensor::of<float>({}, {1});
  expect_contains(error_of([&] { resumed.fit(data.x, data.one_hot, options); }), ErrorCode::kInvalidArgument,
                  {"[fit]", "\"step/seed_generator_state\"", "before states held the seed", "() float32"});
}

TEST_P(ResumeTest, EveryOrderOfTheRowsGoesOn) {
  const Flowers data(20);
  const auto make = [] { return dropout_model({.optimizer = "sgd"}); };
  expect_same_bits(
      {.make = make, .options = {.batch_size = 4, .epochs = 2, .steps_per_epoch = 7, .repeat = true}}, data.x,
      data.one_hot, 1, 3);
  expect_same_bits({.make = make, .options = {.batch_size = 4, .epochs = 4, .steps_per_epoch = 2}}, data.x,
                   data.one_hot, 1, 1);
  expect_same_bits({.make = make, .options = {.batch_size = 4, .epochs = 2, .shuffle = false}}, data.x,
                   data.one_hot, 1, 1);
  const auto rows = [](std::int64_t epoch) {
    return std::vector<std::int64_t>{epoch, 3, 5, 7, 11, 13, 1, 1, 0};
  };
  expect_same_bits({.make = make, .options = {.batch_size = 4, .epochs = 3, .row_order = rows}}, data.x,
                   data.one_hot, 1, 1);
}

TEST_P(ResumeTest, StatesOfStatefulLayersGoOn) {
  const RandomStream random(4);
  std::vector<float> values(12 * 5 * 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(random.normal(i));
  const Tensor x = Tensor::adopt({12, 5, 3}, std::move(values)), y = Flowers(12).one_hot;
  const auto make = [] {
    Sequential model(
        {layers::LSTM({.units = 4, .dropout = 0.2, .stateful = true}), layers::Dense({.units = 3})});
    model.compile({.optimizer = "adam", .loss = "mse"});
    return model;
  };
  expect_same_bits({.make = make, .options = {.batch_size = 4, .epochs = 2, .shuffle = false}}, x, y, 1, 1);
}

/// The options without which an optimizer cannot be made.
Config needed_options(const std::string& optimizer) {
  if (optimizer == "MultiOptimizer") {
    const optimizers::MultiOptimizer several(
        optimizers::OptimizerMap("adam", {{".*bias", optimizers::SGD({.momentum = 0.5})}}));
    return Config::dict({{"optimizer_map", several.get_config().at("optimizer_map")}});
  }
  if (optimizer != "LossScaleOptimizer") return Config::dict();
  return Config::dict(
      {{"inner_optimizer", saving::serialize<Optimizer>(*optimizers::Adam())}, {"dynamic_growth_steps", 2}});
}

TEST_P(ResumeTest, EveryOptimizerGoesOn) {
  const Flowers data(12);
  const std::vector<std::string> names = saving::class_names<Optimizer>();
  EXPECT_GE(names.size(), 12U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto make = [&] {
      Sequential model({layers::Dense({.units = 5, .activation = "tanh"}), layers::Dense({.units = 3})});
      model.compile({.optimizer = saving::from_config<Optimizer>(name, needed_options(name)), .loss = "mse"});
      return model;
    };
    expect_same_bits({.make = make, .options = {.batch_size = 4, .epochs = 2}}, data.x, data.one_hot, 1, 1);
  }
}

TEST_P(ResumeTest, AveragesAccumulatedGradientsAndSchedulesGoOn) {
  const Flowers data(20);
  const auto make = [] {
    return dropout_model({.optimizer = optimizers::SGD(
                              {.learning_rate = optimizers::schedules::ExponentialDecay(
                                   {.initial_learning_rate = 0.1, .decay_steps = 3, .decay_rate = 0.5}),
                               .momentum = 0.9,
                               .use_ema = true,
                               .gradient_accumulation_steps = 2})});
  };
  expect_same_bits({.make = make, .options = {.batch_size = 4, .epochs = 2}}, data.x, data.one_hot, 0, 3);
}

TEST_P(ResumeTest, CallbacksRememberWhatTheyHaveSeen) {
  constexpr double kNever = 10;  // no loss here falls by as much
  const Flowers data(24);
  const auto make = [] { return dropout_model({.optimizer = optimizers::SGD({.learning_rate = 0.5})}); };
  const auto early = [] {
    return std::vector<callbacks::CallbackEntry>{callbacks::EarlyStopping(
        {.monitor = "loss", .min_delta = kNever, .patience = 6, .restore_best_weights = true})};
  };
  const auto plateau = [] {
    return std::vector<callbacks::CallbackEntry>{callbacks::ReduceLROnPlateau(
        {.monitor = "loss", .factor = 0.5, .patience = 2, .min_delta = kNever, .cooldown = 1})};
  };
  const auto stopped_early = [](const callbacks::History& history) {
    EXPECT_EQ(history.epoch.back(), 6) << "the first epoch was the best, and six followed";
  };
  const auto reduced_rates = [](const callbacks::History& history) {
    EXPECT_EQ(history["learning_rate"],
              (std::vector<double>{0.5, 0.5, 0.5, 0.25, 0.25, 0.125, 0.125, 0.0625, 0.0625}));
  };
  for (const auto& [epoch, step] : {std::pair{4, 0}, std::pair{3, 2}}) {
    expect_same_bits({.make = make,
                      .callbacks = early,
                      .options = {.batch_size = 4, .epochs = 12},
                      .check_whole = stopped_early},
                     data.x, data.one_hot, epoch, step);
    expect_same_bits({.make = make,
                      .callbacks = plateau,
                      .options = {.batch_size = 4, .epochs = 9},
                      .check_whole = reduced_rates},
                     data.x, data.one_hot, epoch, step);
  }
}

TEST_P(ResumeTest, ATrainingThatACallbackHasEndedIsAtItsEnd) {
  const Flowers data(12);
  const auto make = [] { return dropout_model({.optimizer = "sgd", .seed = 3}); };
  const auto stopper = [](std::int64_t patience) {  // no loss is that much better
    return callbacks::EarlyStopping({.monitor = "loss", .min_delta = 1e6, .patience = patience});
  };
  FitOptions options{.batch_size = 4, .epochs = 9, .verbose = 0};
  Sequential whole = make(), resumed = make(), patient = make();
  StateKeeper keeper(2, 0), other(-1, -1);
  options.callbacks = {stopper(0), &keeper};
  const auto wanted = whole.fit(data.x, data.one_hot, options);
  EXPECT_EQ(wanted.num_steps, 6);
  options.callbacks = {stopper(0), &other};
  options.resume_from = keeper.state;
  const Messages messages;
  const auto history = resumed.fit(data.x, data.one_hot, options);
  EXPECT_EQ(history.num_steps, 0);
  EXPECT_EQ(history["loss"], wanted["loss"]) << "the logs of the run that was saved";
  EXPECT_TRUE(same_bits(whole.weights(), resumed.weights()));
  EXPECT_NE(messages.text.find("was stopped after 2 of 9 epochs"), std::string::npos) << messages.text;
  options.callbacks = {stopper(4), &other};
  EXPECT_EQ(patient.fit(data.x, data.one_hot, options).num_steps, 9) << "three more epochs of patience";
}

TEST_P(ResumeTest, StatesThatSayThatTheirRunWasStoppedGoOn) {
  const Flowers data(12);
  FitOptions options{.batch_size = 4, .epochs = 3, .verbose = 0};
  Sequential whole = dropout_model(), resumed = dropout_model();
  StateKeeper keeper(1, 0), other(-1, -1);
  options.callbacks = {&keeper};
  whole.fit(data.x, data.one_hot, options);
  options.callbacks = {&other};
  options.resume_from = keeper.state;
  options.resume_from.emplace("run/stop_training", Tensor::of<std::int64_t>({1}, {1}));  // as before
  EXPECT_EQ(resumed.fit(data.x, data.one_hot, options).num_steps, 6);
  EXPECT_TRUE(same_bits(whole.weights(), resumed.weights()));
}

TEST_P(ResumeTest, ARunThatWasAtItsEndKeepsItsHistory) {
  const Flowers data(12);
  FitOptions options{.batch_size = 4, .epochs = 2, .verbose = 0};
  Sequential whole = dropout_model(), resumed = dropout_model();
  StateKeeper keeper(2, 0), other(-1, -1);
  options.callbacks = {&keeper};
  const auto wanted = whole.fit(data.x, data.one_hot, options);
  options.callbacks = {&other};
  options.resume_from = keeper.state;
  const auto history = resumed.fit(data.x, data.one_hot, options);
  EXPECT_EQ(history.num_steps, 0);
  EXPECT_EQ(history.epoch, wanted.epoch);
  for (const auto& [name, values] : wanted.history) EXPECT_EQ(history[name], values) << name;
}

/// A stream whose batches have the labels in y.
BatchStream flower_stream(const Flowers& data, std::int64_t& begin) {
  return BatchStream(
      [&]() -> std::optional<StreamBatch> {
        const std::int64_t end = std::min(begin + 4, data.x.num_rows());
        if (begin == end) return std::nullopt;
        const std::int64_t first = std::exchange(begin, end);
        return StreamBatch{.x = data.x.rows(first, end), .y = data.one_hot.rows(first, end)};
      },
      {.restart = [&] { begin = 0; }});
}

TEST_P(ResumeTest, AStreamGoesOnWhereItWas) {
  const Flowers data(22);
  for (const std::int64_t step : {0, 2}) {
    Sequential whole = dropout_model(), resumed = dropout_model();
    std::int64_t begin = 0, other_begin = 0;
    BatchStream stream = flower_stream(data, begin), other = flower_stream(data, other_begin);
    StateKeeper keeper(1, step), nothing(-1, -1);
    whole.fit(stream, {.epochs = 3, .verbose = 0, .callbacks = {&keeper}});
    resumed.fit(other, {.epochs = 3, .verbose = 0, .callbacks = {&nothing}, .resume_from = keeper.state});
    EXPECT_EQ(differences(whole.training_state(), resumed.training_state()), std::vector<std::string>())
        << step;
  }
}

TEST_P(ResumeTest, FitCanBeginInsideAnEpoch) {
  const Flowers data(24);
  const auto make = [] { return dropout_model({.optimizer = "sgd", .seed = 3}); };
  set_random_seed(1);
  Sequential whole = make();
  StateKeeper keeper(1, 2);
  whole.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&keeper}});
  set_random_seed(1);
  Sequential parts = make();
  class StopAt : public callbacks::Callback {
   public:
    void on_epoch_begin(std::int64_t epoch) override { epoch_ = epoch; }
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      if (epoch_ == 1 && batches.last == 1) model()->set_stop_training(true);
    }

   private:
    std::int64_t epoch_ = 0;
  };
  StopAt stop;
  EXPECT_EQ(
      parts.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0, .callbacks = {&stop}})
          .num_steps,
      8);
  const auto rest =
      parts.fit(data.x, data.one_hot,
                {.batch_size = 4, .epochs = 2, .verbose = 0, .initial_epoch = 1, .initial_step = 2});
  EXPECT_EQ(rest.num_steps, 4);
  EXPECT_TRUE(same_bits(whole.weights(), parts.weights()))
      << "the shuffle of the epoch is the one that was begun";
  expect_contains(error_of([&] { parts.fit(data.x, data.one_hot, {.initial_step = -1}); }),
                  ErrorCode::kInvalidArgument, {"initial_step must not be negative"});
}

TEST_P(ResumeTest, AStateThatDoesNotFitSaysWhatAndChangesNothing) {
  const Flowers data(12);
  const FitOptions options{.batch_size = 4, .epochs = 2, .verbose = 0};
  const auto make = [](std::int64_t units) {
    Sequential model(
        {layers::Dense({.units = units}), layers::Dropout({.rate = 0.5}), layers::Dense({.units = 3})});
    model.compile({.optimizer = "adam", .loss = "mse"});
    return model;
  };
  Sequential saved = make(5), wider = make(6), same = make(5);
  StateKeeper keeper(1, 1);
  FitOptions keeping = options;
  keeping.callbacks = {&keeper};
  saved.fit(data.x, data.one_hot, keeping);
  const auto refused = [&](Sequential& model, const StateValues& state, const FitOptions& base,
                           const std::vector<std::string>& says) {
    StateKeeper other(-1, -1);
    FitOptions resuming = base;
    resuming.callbacks = {&other};
    resuming.resume_from = state;
    model.build({kUnknown, 4});
    const StateValues before = model.training_state();
    expect_contains(error_of([&] { model.fit(data.x, data.one_hot, resuming); }), ErrorCode::kInvalidArgument,
                    says);
    EXPECT_EQ(differences(before, model.training_state()), std::vector<std::string>());
  };
  refused(wider, keeper.state, options,
          {"[fit]", "\"model/dense/kernel\"", "(4, 6) float32", "(4, 5) float32"});
  StateValues state = keeper.state;
  state.erase("model/dense_1/bias");
  refused(same, state, options, {"has no \"model/dense_1/bias\"", "(3,) float32"});
  state = keeper.state;
  state.emplace("model/attention/kernel", data.x);
  refused(same, state, options, {"\"model/attention/kernel\" ((12, 4) float32)", "nothing here takes"});
  state = keeper.state;
  state.erase("model/dropout/seed_generator/seed");
  refused(same, state, options, {"has no \"model/dropout/seed_generator/seed\""});
  FitOptions larger = options;
  larger.batch_size = 6;
  refused(same, keeper.state, larger, {"\"source/batch_size\"", "batch_size must be 6", "was of 4"});
  const auto expect_refused = [&](const char* path, std::int64_t number, const std::string& says) {
    state = keeper.state;
    state.at(path) = Tensor::of<std::int64_t>({1}, {number});
    refused(same, state, options,
            {"[fit]", fmt::format("\"{}\"", path), says, fmt::format("found {}", number)});
  };
  for (const std::int64_t number : {-5, 4}) {
    expect_refused("source/next_step", number, "must be between 0 and 3");
    expect_refused("run/step", number, "must be between 0 and 3");
  }
  expect_refused("run/epoch", -1, "must not be negative");
  EXPECT_EQ(same.optimizer().iterations().item<int>(), 0);
}

}  // namespace
}  // namespace cornu::inline v0::keras
