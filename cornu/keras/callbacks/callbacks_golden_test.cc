#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <mutex>
#include <sstream>
#include <thread>

#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"

/// Feeds the same logs to Cornu's callbacks and to real Keras's, and compares.
namespace cornu::inline v0::keras {
namespace {

class CallbacksGoldenTest : public ::testing::Test {
 protected:
  testing::OnReferenceBackend reference_;
  const nlohmann::json golden_ = testing::load_golden("callbacks");

  static Sequential made_model() {
    Sequential model({layers::Input({.shape = {1}}), layers::Dense({.units = 1, .use_bias = false})});
    model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.5}),
                   .loss = "mse",
                   .metrics = {"accuracy", "mae"}});
    model.evaluate(Tensor::zeros({2, 1}), Tensor::zeros({2, 1}), {.verbose = 0});  // makes the metrics
    return model;
  }

  struct Run {
    std::vector<double> rates;  // after each epoch that ran
    double weight = 0;          // the epoch whose weights are left
  };
  static Run run_epochs(callbacks::Callback& callback, const std::vector<Logs>& logs) {
    Sequential model = made_model();
    model.set_stop_training(false);
    callbacks::CallbackList callbacks(
        {&callback}, {.model = &model, .params = {.epochs = static_cast<std::int64_t>(logs.size())}});
    Run run;
    callbacks.on_train_begin();
    for (std::size_t epoch = 0; epoch < logs.size() && !model.stop_training(); ++epoch) {
      callbacks.on_epoch_begin(static_cast<std::int64_t>(epoch));
      model.set_weights({Tensor::of<float>({1, 1}, {static_cast<float>(epoch)})});
      callbacks.on_epoch_end(static_cast<std::int64_t>(epoch), logs[epoch]);
      run.rates.push_back(model.optimizer()->learning_rate().item<double>());
    }
    callbacks.on_train_end();
    run.weight = model.get_weights()[0].at(0);
    return run;
  }

  static std::vector<Logs> series_of(const nlohmann::json& test_case) {
    std::vector<Logs> logs;
    for (const nlohmann::json& value : test_case.at("series"))
      logs.push_back({{test_case.at("monitor").get<std::string>(), value.get<double>()}});
    return logs;
  }
};

template <typename T>
void take(const nlohmann::json& config, const char* name, T& option) {
  if (config.contains(name)) option = config.at(name).get<T>();
}

TEST_F(CallbacksGoldenTest, EarlyStoppingStopsAndRestoresAsKeras) {
  for (const nlohmann::json& test_case : golden_.at("early_stopping")) {
    SCOPED_TRACE(test_case.dump());
    const nlohmann::json& config = test_case.at("config");
    callbacks::EarlyStoppingOptions options{.monitor = test_case.at("monitor")};
    take(config, "patience", options.patience);
    take(config, "min_delta", options.min_delta);
    take(config, "restore_best_weights", options.restore_best_weights);
    take(config, "start_from_epoch", options.start_from_epoch);
    take(config, "mode", options.mode);
    if (config.contains("baseline")) options.baseline = config.at("baseline").get<double>();
    callbacks::EarlyStopping stopper(options);
    const Run run = run_epochs(stopper, series_of(test_case));
    EXPECT_EQ(run.rates.size(), test_case.at("epochs").get<std::size_t>());
    EXPECT_EQ(stopper.stopped_epoch(), test_case.at("stopped_epoch").get<std::int64_t>());
    EXPECT_EQ(stopper.best_epoch(), test_case.at("best_epoch").get<std::int64_t>());
    EXPECT_EQ(stopper.wait(), test_case.at("wait").get<std::int64_t>());
    EXPECT_NEAR(stopper.best().value_or(NAN), test_case.at("best").get<double>(), 1e-6);
    EXPECT_EQ(run.weight, test_case.at("weight").get<double>());
  }
}

TEST_F(CallbacksGoldenTest, ReduceLROnPlateauReducesAsKeras) {
  for (const nlohmann::json& test_case : golden_.at("reduce_lr_on_plateau")) {
    SCOPED_TRACE(test_case.dump());
    const nlohmann::json& config = test_case.at("config");
    callbacks::ReduceLROnPlateauOptions options{.monitor = test_case.at("monitor")};
    take(config, "patience", options.patience);
    take(config, "factor", options.factor);
    take(config, "cooldown", options.cooldown);
    take(config, "min_lr", options.min_lr);
    take(config, "min_delta", options.min_delta);
    if (!config.contains("patience")) options.patience = 10;
    callbacks::ReduceLROnPlateau plateau(options);
    const Run run = run_epochs(plateau, series_of(test_case));
    ASSERT_EQ(run.rates.size(), test_case.at("rates").size());
    for (std::size_t i = 0; i < run.rates.size(); ++i)
      EXPECT_NEAR(run.rates[i], test_case.at("rates")[i].get<double>(), 1e-7) << i;
  }
}

TEST_F(CallbacksGoldenTest, LearningRateSchedulerSetsTheRatesOfKeras) {
  callbacks::LearningRateScheduler scheduler(
      [](std::int64_t epoch, double rate) { return epoch % 2 == 1 ? rate * 0.5 : rate + 0.25; });
  const Run run = run_epochs(scheduler, std::vector<Logs>(6, Logs{{"loss", 1.0}}));
  const nlohmann::json& rates = golden_.at("learning_rate_scheduler");
  ASSERT_EQ(run.rates.size(), rates.size());
  for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(run.rates[i], rates[i].get<double>(), 1e-7);
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

LogValue log_value(const nlohmann::json& value) {
  if (value.is_array()) {
    const auto elements = value.get<std::vector<float>>();
    return Tensor::adopt({static_cast<std::int64_t>(elements.size())}, std::vector<float>(elements));
  }
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

TEST_F(CallbacksGoldenTest, TheProgressBarSaysOfArraysWhatKerasSays) {
  for (const nlohmann::json& test_case : golden_.at("progress_bar")) {
    Logs logs;
    for (const nlohmann::json& entry : test_case.at("logs"))
      logs.set(entry[0].get<std::string>(), log_value(entry[1]));
    EXPECT_EQ(logs.str(), test_case.at("text").get<std::string>());
  }
}

TEST_F(CallbacksGoldenTest, CSVLoggerWritesTheTextOfKeras) {
  const std::string path = ::testing::TempDir() + "cornu_csv_logger_test.csv";
  for (const nlohmann::json& test_case : golden_.at("csv_logger")) {
    std::vector<Logs> logs;
    for (const nlohmann::json& epoch : test_case.at("logs")) {
      logs.emplace_back();
      for (const nlohmann::json& entry : epoch) {
        logs.back().set(entry[0].get<std::string>(), log_value(entry[1]));
      }
    }
    callbacks::CSVLoggerOptions options;
    take(test_case.at("config"), "separator", options.separator);
    callbacks::CSVLogger logger(path, options);
    run_epochs(logger, logs);
    EXPECT_EQ(read_text(path), test_case.at("text").get<std::string>());
    options.append = true;
    callbacks::CSVLogger appending(path, options);
    run_epochs(appending, logs);
    EXPECT_EQ(read_text(path), test_case.at("appended").get<std::string>());
  }
  std::filesystem::remove(path);
}

TEST_F(CallbacksGoldenTest, CSVLoggerRefusesAPipeThatNobodyReadsAndWritesToOneThatIsRead) {
  const std::string path = ::testing::TempDir() + "cornu_csv_logger_pipe";
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  callbacks::CSVLogger logger(path);
  expect_contains(error_of([&] { run_epochs(logger, {Logs{{"loss", 1.0}}}); }),
                  ErrorCode::kFailedPrecondition, {"[csv_logger] cannot open", path});
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  run_epochs(logger, {Logs{{"loss", 1.0}}});
  std::string text(64, ' ');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, text.data(), text.size()))));
  ::close(reader);
  ::unlink(path.c_str());
  EXPECT_EQ(text.substr(0, 12), "epoch,loss,v");
}

TEST_F(CallbacksGoldenTest, BadOptionsAndFilesAreRefused) {
  expect_contains(error_of([] { callbacks::EarlyStopping({.mode = "up"}); }), ErrorCode::kInvalidArgument,
                  {"mode", "\"up\""});
  expect_contains(error_of([] { callbacks::ReduceLROnPlateau({.factor = 1.5}); }),
                  ErrorCode::kInvalidArgument, {"factor", "1.5"});
  expect_contains(error_of([] { callbacks::CSVLogger("x", {.separator = ""}); }), ErrorCode::kInvalidArgument,
                  {"separator"});
  expect_contains(error_of([] { callbacks::CSVLogger({.separator = ";"}); }), ErrorCode::kInvalidArgument,
                  {"[csv_logger] filename"});
  expect_contains(error_of([] { callbacks::CSVLogger("x", {.filename = "y"}); }), ErrorCode::kInvalidArgument,
                  {"\"x\" and \"y\""});
  callbacks::CSVLogger nowhere({.filename = "/nonexistent/folder/log.csv", .append = true});
  expect_contains(error_of([&] { run_epochs(nowhere, {Logs{{"loss", 1.0}}}); }), ErrorCode::kNotFound,
                  {"[csv_logger] cannot open \"/nonexistent/folder/log.csv\"", "No such file"});
  callbacks::CSVLogger full("/dev/full");
  expect_contains(error_of([&] { run_epochs(full, {Logs{{"loss", 1.0}}}); }), ErrorCode::kResourceExhausted,
                  {"[csv_logger] cannot write to \"/dev/full\""});
}

TEST_F(CallbacksGoldenTest, WidthsInThePathOfAModelAreBounded) {
  for (const char* const pattern :
       {"{epoch:02d}_{val_loss:.3f}.keras", "{epoch:255d}.keras", "{{999999999}}.keras",
        "999999999_{epoch}.keras", "{loss999:.2f}.keras", "{{{epoch:03d}}}.keras"})
    EXPECT_NO_THROW(callbacks::ModelCheckpoint({.filepath = pattern})) << pattern;
  for (const char* const pattern :
       {"{epoch:999999999d}.keras", "{loss:.999999999f}.keras", "{epoch:256}.keras",
        "{loss:{epoch}.3f}.keras", "{{{epoch:>99999999999999999999}}}.keras"})
    expect_contains(error_of([&] { callbacks::ModelCheckpoint({.filepath = pattern}); }),
                    ErrorCode::kInvalidArgument, {"[model_checkpoint]", "width or precision", pattern});
}

TEST_F(CallbacksGoldenTest, TheFirstEpochSaysThatTheDirectionOfAMetricIsUnknown) {
  callbacks::EarlyStopping stopper({.monitor = "my_score"}),
      late_stopper({.monitor = "my_score", .start_from_epoch = 5});
  callbacks::ReduceLROnPlateau plateau({.monitor = "my_score"});
  callbacks::ModelCheckpoint checkpoint(
      {.filepath = "not_written.keras", .monitor = "my_score", .save_best_only = true});
  for (callbacks::Callback* const callback :
       std::initializer_list<callbacks::Callback*>{&stopper, &late_stopper, &plateau, &checkpoint})
    for (const Logs& logs : {Logs{{"my_score", 1.0}}, Logs{{"loss", 1.0}}})
      expect_contains(error_of([&] { run_epochs(*callback, {logs}); }), ErrorCode::kInvalidArgument,
                      {"\"my_score\"", "mode = \"min\""});
}

TEST_F(CallbacksGoldenTest, TerminateOnNaNAndASchedulerWorkInsideFitAndCompileNothing) {
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.1}), .loss = "mse"});
  // The rate changes between batches.
  callbacks::LambdaCallback decay({.on_train_batch_begin = [&](const callbacks::BatchRange& batches) {
    model.optimizer()->set_learning_rate(0.1 / static_cast<double>(1 + batches.first));
  }});
  const auto history =
      model.fit(data.x, data.one_hot,
                {.batch_size = 5,
                 .epochs = 3,
                 .verbose = 0,
                 .callbacks = {&decay, callbacks::LearningRateScheduler(
                                           [](std::int64_t epoch) { return epoch < 2 ? 0.5 : 0.25; })}});
  EXPECT_EQ(history.num_compiles, 1);
  EXPECT_NEAR(history["learning_rate"].back(), 0.025, 1e-7) << "what the last batch set";
  std::vector<float> x(data.x.data<float>().begin(), data.x.data<float>().end());
  x[8 * 4] = std::numeric_limits<float>::infinity();
  const Tensor bad = Tensor::adopt({20, 4}, std::move(x));
  ::testing::internal::CaptureStdout();
  const auto ended = model.fit(bad, data.one_hot,
                               {.batch_size = 5,
                                .epochs = 9,
                                .verbose = 0,
                                .callbacks = {callbacks::TerminateOnNaN()},
                                .shuffle = false});
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "Batch 1: Invalid loss, terminating training\n");
  EXPECT_EQ(ended.num_steps, 2);
}

TEST_F(CallbacksGoldenTest, BatchHooksHaveShortNamesToo) {
  class Short : public callbacks::Callback {
   public:
    std::int64_t begun = 0, ended = 0;
    void on_batch_begin(const callbacks::BatchRange& batches) override { begun += batches.count; }
    void on_batch_end(const callbacks::BatchRange& batches, LazyLogs& logs) override {
      ended += batches.count;
      EXPECT_EQ(logs.get()["loss"], 2.0);
    }
  };
  Short callback;
  callbacks::CallbackList callbacks({&callback});
  callbacks.on_train_batch_begin({0, 3, 4});
  callbacks.on_train_batch_end({0, 3, 4}, {{"loss", 2.0}});
  EXPECT_EQ(callback.begun, 4);
  EXPECT_EQ(callback.ended, 4);
  EXPECT_EQ(callback.name(), "Short");
}

TEST_F(CallbacksGoldenTest, TheBarMovesWhileALongExecutionRuns) {
  std::string text;
  std::mutex mutex;
  callbacks::ProgbarLogger bar({.redraw = true, .write = [&](std::string_view piece) {
                                  const std::lock_guard lock(mutex);
                                  text += piece;
                                }});
  runtime::Progress progress;
  callbacks::CallbackList callbacks({&bar}, {.params = {.verbose = 1, .steps = 100, .progress = &progress}});
  callbacks.on_train_begin();
  callbacks.on_epoch_begin(0);
  callbacks.on_train_batch_begin({0, 99, 100});
  progress.steps_done = 40;
  bool seen = false;
  for (int i = 0; i < 1000 && !seen; ++i) {  // it looks ten times a second
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::lock_guard lock(mutex);
    seen = text.find(" 40/100") != std::string::npos;
  }
  EXPECT_TRUE(seen);
  callbacks.on_train_batch_end({0, 99, 100}, {{"loss", 1.0}});
  callbacks.on_epoch_end(0, {{"loss", 1.0}});
  callbacks.on_train_end();
  EXPECT_NE(text.find("100/100"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::keras
