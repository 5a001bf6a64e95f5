/// fit on a worker that is killed and comes back: the numbers are those of a run that nothing disturbed.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <optional>
#include <vector>

#include "cornu/keras/keras.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

struct Rows {
  Tensor x, y;
  Rows() {
    std::vector<float> values(240), labels(80);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1F * static_cast<float>(i * 7 % 19);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = values[3 * i] - values[3 * i + 1];
    x = Tensor::from<float>({80, 3}, values);
    y = Tensor::from<float>({80, 1}, labels);
  }
};

keras::Sequential make_model() {
  set_random_seed(11);
  keras::Sequential model({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                           keras::layers::BatchNormalization(), keras::layers::Dropout({.rate = 0.25}),
                           keras::layers::Dense({.units = 1})});
  model.build({keras::kUnknown, 3});
  model.compile(
      {.optimizer = "adam", .loss = "mse", .metrics = {"mae"}, .steps_per_execution = 2, .seed = 5});
  return model;
}

/// Calls something behind so many steps of the run.
class After : public keras::callbacks::Callback {
 public:
  After(std::vector<std::int64_t> steps, std::function<void()> work)
      : steps_(std::move(steps)), work_(std::move(work)) {}
  void on_train_batch_end(const keras::callbacks::BatchRange& batches, keras::LazyLogs&) override {
    steps_run_ += batches.count;
    if (steps_.empty() || steps_run_ < steps_.front()) return;
    steps_.erase(steps_.begin());
    work_();
  }

 private:
  std::vector<std::int64_t> steps_;
  std::function<void()> work_;
  std::int64_t steps_run_ = 0;
};

/// A worker that is always at the same port.
struct Returning {
  std::unique_ptr<WorkerProcess> worker = std::make_unique<WorkerProcess>();
  std::string port = worker->port();

  void kill_and_start_again() {
    worker->end(SIGKILL);
    worker = std::make_unique<WorkerProcess>(std::vector<std::string>(), port);
  }
};

struct Result {
  keras::callbacks::History history;
  std::vector<std::vector<float>> weights;
};

Result train(const keras::FitOptions& options) {
  const Rows rows;
  keras::Sequential model = make_model();
  Result result{.history = model.fit(rows.x, rows.y, options)};
  for (const Variable& weight : model.weights()) result.weights.push_back(weight.value().to_vector<float>());
  return result;
}

keras::FitOptions fit_options() {
  return {.batch_size = 8, .epochs = 4, .verbose = 0, .validation_split = 0.2};
}

void expect_equal(const Result& a, const Result& b) {
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.history.epoch, b.history.epoch);
  for (const char* name : {"loss", "mae", "val_loss", "val_mae"})
    EXPECT_EQ(a.history[name], b.history[name]) << name;
}

TEST(BackupTest, AWorkerThatIsKilledTwiceChangesNoBit) {
  const Result undisturbed = train(fit_options());
  for (const std::int64_t every : {1, 3, 1000}) {
    Returning returning;
    const Connected remote(returning.worker->url(",keep_alive=2"));
    const DeviceScope scope(remote.name);
    keras::FitOptions options = fit_options();
    options.backup = {.every_steps = every, .first_wait_seconds = 0.05, .longest_wait_seconds = 0.5};
    After killer({6, 20}, [&] { returning.kill_and_start_again(); });
    options.callbacks = {&killer};
    expect_equal(train(options), undisturbed);
  }
}

TEST(BackupTest, AnIntervalInSecondsDoesTheSame) {
  const Result undisturbed = train(fit_options());
  Returning returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  options.backup = {.every_seconds = 0.001, .first_wait_seconds = 0.05};
  After killer({8}, [&] { returning.kill_and_start_again(); });
  options.callbacks = {&killer};
  expect_equal(train(options), undisturbed);
}

TEST(BackupTest, WithoutABackupTheErrorSaysWhere) {
  Returning returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  After killer({10}, [&] { returning.worker->end(SIGKILL); });
  options.callbacks = {&killer};
  const std::string text = error_of([&] { train(options); });
  EXPECT_NE(text.find("in epoch 2, step 3"), std::string::npos) << text;
  EXPECT_NE(text.find("its weights are lost"), std::string::npos) << text;
}

TEST(BackupTest, AWorkerThatStaysAwayEndsTheRun) {
  Returning returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 2, .max_attempts = 2, .first_wait_seconds = 0.01};
  After killer({6}, [&] { returning.worker->end(SIGKILL); });
  options.callbacks = {&killer};
  const std::string text = error_of([&] { train(options); });
  EXPECT_NE(text.find("it was not there again after 2 attempts"), std::string::npos) << text;
}

TEST(BackupTest, WrongOptionsAreRefused) {
  const auto with = [](const keras::BackupOptions& backup) {
    keras::FitOptions options = fit_options();
    options.backup = backup;
    return error_of([&] { train(options); });
  };
  EXPECT_NE(with({.every_steps = 1}).find("backup is for devices of remote workers"), std::string::npos);
  EXPECT_NE(with({}).find("every_steps or every_seconds"), std::string::npos);
  EXPECT_NE(with({.every_steps = 1, .every_seconds = 1}).find("one of the two"), std::string::npos);
  EXPECT_NE(with({.every_steps = 0}).find("must be at least 1"), std::string::npos);
  EXPECT_NE(with({.every_seconds = 0}).find("must be positive"), std::string::npos);
  EXPECT_NE(with({.every_steps = 1, .max_attempts = 0}).find("at least one attempt"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0
