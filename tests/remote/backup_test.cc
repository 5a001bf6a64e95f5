/// fit on a worker that is killed and comes back: the numbers are those of a run that nothing disturbed.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cornu/base/error_test_support.h"
#include "cornu/distribute/connect.h"
#include "cornu/keras/keras.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/tensor/value/placement.h"
#include "tests/remote/training_test_support.h"
#include "tests/remote/worker_process.h"

namespace cornu::inline v0 {
namespace {

TEST(BackupTest, AWorkerThatIsKilledTwiceChangesNoBit) {
  const Result undisturbed = train(fit_options());
  for (const std::int64_t every : {1, 3, 1000}) {
    ReturningWorker returning;
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
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  options.backup = {.every_seconds = 0.001, .first_wait_seconds = 0.05};
  After killer({8}, [&] { returning.kill_and_start_again(); });
  options.callbacks = {&killer};
  expect_equal(train(options), undisturbed);
}

TEST(BackupTest, AWorkerThatSomebodyElseConnectsAgainChangesNoBitEither) {
  const Result undisturbed = train(fit_options());
  const WorkerFiles folder;
  for (const std::string file : {"", "state"}) {
    SCOPED_TRACE(file);
    ReturningWorker returning({"--data-root", folder.file("")});
    const std::string address = returning.worker->address();
    {
      const DeviceScope scope(distribute::connect_to_host(address).at(0));
      runtime::DistantClient& distant = *current_placement().client()->distant();
      keras::FitOptions options = fit_options();
      options.backup = {.every_steps = 3, .first_wait_seconds = 5, .worker_file = file};
      After other({10, 20}, [&] {
        const std::uint64_t lost = distant.generation();
        returning.kill_and_start_again();
        for (int i = 0; i < 200 && distant.generation() == lost; ++i) {
          distribute::connect_to_host(address);
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
      });
      options.callbacks = {&other};
      expect_equal(train(options), undisturbed);
      EXPECT_EQ(distant.generation(), 3U) << "fit has not connected once more";
    }
    distribute::shutdown_tpu_system(distribute::TPUClusterResolver(address));
  }
}

TEST(BackupTest, WithoutABackupALossThatSomebodyElseMendsIsNoLessALoss) {
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  After other({10}, [&] {
    returning.kill_and_start_again();
    remote.client->distant()->reconnect(remote.client->distant()->generation());
  });
  options.callbacks = {&other};
  const std::string text = error_text_of([&] { train(options); });
  EXPECT_NE(text.find("was lost with the link"), std::string::npos) << text;
  EXPECT_NE(text.find("its weights are lost"), std::string::npos) << text;
}

TEST(BackupTest, ARunThatBeginsBehindTheLossOfItsWorkerConnectsBeforeItsFirstBackup) {
  const Result undisturbed = train(fit_options());
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  expect_equal(train(fit_options()), undisturbed);
  EXPECT_FALSE(remote.client->has_lost_devices());
  returning.kill_and_start_again();
  EXPECT_NE(error_text_of([&] { train(fit_options()); }), "no error") << "without a backup";
  EXPECT_TRUE(remote.client->has_lost_devices());
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 3, .first_wait_seconds = 0.05, .longest_wait_seconds = 0.5};
  expect_equal(train(options), undisturbed);
}

TEST(BackupTest, ARunThatBeginsWithoutItsWorkerSaysHowOftenItHasTried) {
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  train(fit_options());
  returning.worker->end(SIGKILL);
  EXPECT_NE(error_text_of([&] { train(fit_options()); }), "no error") << "without a backup";
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 3, .max_attempts = 2, .first_wait_seconds = 0.01};
  testing::internal::CaptureStderr();
  const std::string text = error_text_of([&] { train(options); });
  const std::string tried = testing::internal::GetCapturedStderr();
  EXPECT_NE(tried.find("fit tries to connect it again"), std::string::npos) << tried;
  EXPECT_NE(text.find("was lost before the run began"), std::string::npos) << text;
  EXPECT_NE(text.find("it was not there again after 2 attempts, the last: "), std::string::npos) << text;
  options.backup->max_attempts = 0;
  testing::internal::CaptureStderr();
  EXPECT_NE(error_text_of([&] { train(options); }).find("at least one attempt"), std::string::npos);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "where it cannot wait, it does not say so";
}

/// A user's variables, none of which is a weight, a slot or a metric.
struct OwnVariables {
  static Variable make(const char* name, float value) {
    return Variable(Tensor(value), {.name = name, .trainable = false});
  }
  Variable factor = make("factor", 1);    // of the loss: steps only read it, a callback assigns it
  Variable steps = make("steps", 0);      // assigned by training steps
  Variable tested = make("tested", 0);    // assigned by test steps
  Variable outside = make("outside", 0);  // no step uses it; a callback's state names it
};

class OwnSteps final : public keras::Network {
 public:
  explicit OwnSteps(OwnVariables own) : Network("OwnSteps", ""), own_(std::move(own)) {}
  Tensor call(const Tensor& x, const keras::CallContext&) override { return dense_(x); }
  keras::StepLogs train_step(keras::StepTools& tools, const keras::StepData& data) override {
    own_.steps.assign_add(Tensor(1.0F));
    return Network::train_step(tools, data);
  }
  keras::StepLogs test_step(keras::StepTools& tools, const keras::StepData& data) override {
    own_.tested.assign(own_.tested.value() * 0.5 + own_.steps.value());
    keras::StepLogs logs = Network::test_step(tools, data);
    logs.emplace_back("tested", own_.tested.value());
    return logs;
  }
  Tensor compute_loss(keras::StepTools& tools, const keras::StepData& data,
                      const keras::Tensors& y_pred) override {
    return tools.compute_loss(data, y_pred) * own_.factor.value();
  }

 private:
  OwnVariables own_;
  keras::LayerHandle dense_ = track(keras::layers::Dense({.units = 1}));
};

/// Works with the variables on the device that trains.
class OwnCallback final : public keras::callbacks::Callback {
 public:
  explicit OwnCallback(OwnVariables own) : own_(std::move(own)) {}
  void on_epoch_begin(std::int64_t epoch) override {
    const float steps = own_.steps.value().item<float>();
    own_.factor.assign(Tensor(1.0F + 0.01F * static_cast<float>(epoch) + 0.001F * steps));
  }
  void on_train_batch_end(const keras::callbacks::BatchRange&, keras::LazyLogs&) override {
    own_.factor.assign(own_.factor.value() * 1.05);
    own_.outside.assign_add(own_.factor.value());
  }
  keras::StateList state() override { return {keras::state_of("outside", own_.outside)}; }

 private:
  OwnVariables own_;
};

/// Kills a worker behind a step, again while the run takes up its state, and once more later.
class Killer final : public keras::callbacks::Callback {
 public:
  explicit Killer(ReturningWorker& returning) : returning_(returning) {}
  int num_kills() const { return num_kills_; }
  void on_epoch_begin(std::int64_t) override {
    if (num_kills_ == 1) kill();
  }
  void on_train_batch_end(const keras::callbacks::BatchRange& batches, keras::LazyLogs&) override {
    num_steps_ += batches.count;
    if ((num_kills_ == 0 && num_steps_ >= 14) || (num_kills_ == 2 && num_steps_ >= 30)) kill();
  }

 private:
  void kill() {
    ++num_kills_;
    returning_.kill_and_start_again();
  }
  ReturningWorker& returning_;
  std::int64_t num_steps_ = 0;
  int num_kills_ = 0;
};

/// A training whose user has variables of his own; they are appended to the weights.
Result train_with_own_variables(keras::FitOptions options,
                                const std::vector<keras::callbacks::CallbackEntry>& more, bool is_last) {
  set_random_seed(11);
  const OwnVariables own;
  keras::Model model(std::make_shared<OwnSteps>(own));
  model.compile({.optimizer = "adam", .loss = "mse", .steps_per_execution = 2, .seed = 5});
  OwnCallback callback(own);
  options.callbacks = more;
  options.callbacks.insert(is_last ? options.callbacks.begin() : options.callbacks.end(), &callback);
  Result result = fit_regression(model, options);
  for (const Variable& variable : {own.factor, own.steps, own.tested, own.outside})
    result.weights.push_back(variable.value().to_vector<float>());
  return result;
}

TEST(BackupTest, VariablesOfTheUsersAreWhatTheyWereAfterAWorkerIsKilledAgainWhileTheyComeBack) {
  const Result undisturbed = train_with_own_variables(fit_options(), {}, false);
  ASSERT_EQ(undisturbed.history["val_tested"].size(), 4U);
  const WorkerFiles folder;
  for (const std::string file : {"", "own"}) {
    for (const bool is_last : {false, true}) {
      SCOPED_TRACE(file + (is_last ? ", killed behind the callback" : ", killed before the callback"));
      ReturningWorker returning({"--data-root", folder.file("")});
      const Connected remote(returning.worker->url(",keep_alive=2"));
      const DeviceScope scope(remote.name);
      keras::FitOptions options = fit_options();
      options.backup = {
          .every_steps = 3, .first_wait_seconds = 0.05, .longest_wait_seconds = 0.5, .worker_file = file};
      Killer killer(returning);
      expect_equal(train_with_own_variables(options, {&killer}, is_last), undisturbed);
      EXPECT_EQ(killer.num_kills(), 3);
    }
  }
}

/// Says, to another thread too, whether an execution is known to have begun and not to have ended.
class Watched : public After {
 public:
  using After::After;
  bool is_in_the_middle(std::int64_t num_steps) {
    const std::lock_guard lock(mutex_);
    const std::int64_t done = trains_ ? params().progress->steps_done.load() : 0;
    return done > 0 && done < num_steps;
  }
  void on_train_begin() override { set_trains(true); }
  void on_train_end(keras::Logs&) override { set_trains(false); }

 private:
  void set_trains(bool trains) {
    const std::lock_guard lock(mutex_);
    trains_ = trains;
  }

  std::mutex mutex_;
  bool trains_ = false;
};

TEST(BackupTest, AWorkerThatIsToldToEndInTheMiddleOfAnExecutionChangesNoBitEither) {
  // They run for several of the tenths of a second after which the client asks and the worker looks.
  constexpr std::int64_t kSteps = 2'000'000;
  keras::FitOptions options = fit_options();
  options.validation_split = 0;
  options.epochs = 1;
  options.steps_per_epoch = 2 * kSteps;
  options.repeat = true;
  const Result undisturbed = train(options, kSteps);
  options.backup = {.every_steps = 1, .first_wait_seconds = 0.05, .longest_wait_seconds = 0.5};
  // Whether the execution still runs when the worker hears it is a matter of luck on a busy machine.
  std::atomic<bool> was_in_the_middle = false;
  for (int attempt = 1; attempt <= 5 && !was_in_the_middle; ++attempt) {
    ReturningWorker returning({"--drain-seconds", "0"});
    const Connected remote(returning.worker->url(",keep_alive=2"));
    const DeviceScope scope(remote.name);
    std::jthread teller;
    Watched begin({kSteps}, [&] {
      teller = std::jthread([&](const std::stop_token& over) {
        while (!begin.is_in_the_middle(kSteps)) {
          if (over.stop_requested()) return;
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        EXPECT_EQ(returning.worker->end(SIGTERM), 0);
        was_in_the_middle = returning.worker->output().find("stops its executions") != std::string::npos;
        returning.start_again();
        // The worker ends with the thread that began it.
        while (!over.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      });
    });
    options.callbacks = {&begin};
    expect_equal(train(options, kSteps), undisturbed);
    teller = std::jthread();
  }
  EXPECT_TRUE(was_in_the_middle);
}

TEST(BackupTest, WithoutABackupTheErrorSaysWhere) {
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  After killer({10}, [&] { returning.worker->end(SIGKILL); });
  options.callbacks = {&killer};
  const std::string text = error_text_of([&] { train(options); });
  EXPECT_NE(text.find("in epoch 2, step 3"), std::string::npos) << text;
  EXPECT_NE(text.find("its weights are lost"), std::string::npos) << text;
}

TEST(BackupTest, AWorkerThatStaysAwayEndsTheRun) {
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 2, .max_attempts = 2, .first_wait_seconds = 0.01};
  After killer({6}, [&] { returning.worker->end(SIGKILL); });
  options.callbacks = {&killer};
  const std::string text = error_text_of([&] { train(options); });
  EXPECT_NE(text.find("it was not there again after 2 attempts, the last: "), std::string::npos) << text;
  EXPECT_NE(text.find("nothing there takes connections"), std::string::npos) << text;
}

TEST(BackupTest, AWorkerThatIsFullIsTriedAgain) {
  const Result undisturbed = train(fit_options());
  ReturningWorker returning({"--max-clients", "1"});
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 3, .first_wait_seconds = 0.05, .longest_wait_seconds = 0.2};
  std::jthread guest;
  After killer({6}, [&] {
    returning.kill_and_start_again();
    guest = std::jthread([client = runtime::make_client(returning.worker->url())] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    });
  });
  options.callbacks = {&killer};
  expect_equal(train(options), undisturbed);
}

TEST(BackupTest, AStopEndsTheWaitForAWorkerAndTheTrainingGoesOnFromTheLastBackup) {
  const Result undisturbed = train(fit_options());
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::Sequential model = make_regression();
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 3, .first_wait_seconds = 100, .longest_wait_seconds = 100};
  std::jthread stopper;
  After killer({14}, [&] {
    returning.worker->end(SIGKILL);
    stopper = std::jthread([&] {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      model.set_stop_training(true);
    });
  });
  options.callbacks = {&killer};
  const auto start = std::chrono::steady_clock::now();
  const auto [x, y] = regression_rows();
  EXPECT_EQ(model.fit(x, y, options).epoch, std::vector<std::int64_t>{0});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(50));
  for (const Variable& weight : model.weights()) EXPECT_NO_THROW(weight.read()) << "it is on the host";
  const keras::StateValues state = model.training_state();
  ASSERT_TRUE(state.contains("run/step"));
  returning.start_again();
  options.callbacks = {};
  options.resume_from = state;
  options.backup->first_wait_seconds = 0.05;
  const Result resumed = fit_regression(model, options);
  EXPECT_EQ(resumed.weights, undisturbed.weights);
  EXPECT_EQ(resumed.history.epoch, (std::vector<std::int64_t>{1, 2, 3}));
}

// The weights get their averages at the end of a training, which must not need the worker then.
TEST(BackupTest, AStopEndsTheWaitAlsoWhereTheEndComputes) {
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::Sequential model = make_regression();
  model.compile({.optimizer = keras::optimizers::SGD({.use_ema = true}), .loss = "mse", .seed = 5});
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 3, .first_wait_seconds = 100, .longest_wait_seconds = 100};
  std::jthread stopper;
  bool has_ended = false;
  After killer({14}, [&] {
    returning.worker->end(SIGKILL);
    stopper = std::jthread([&] {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      model.set_stop_training(true);
    });
  });
  keras::callbacks::LambdaCallback end({.on_train_end = [&](const keras::Logs&) { has_ended = true; }});
  options.callbacks = {&killer, &end};
  const auto [x, y] = regression_rows();
  EXPECT_EQ(model.fit(x, y, options).epoch, std::vector<std::int64_t>{0});
  EXPECT_TRUE(has_ended);
  for (const Variable& weight : model.weights()) EXPECT_NO_THROW(weight.read());
}

TEST(BackupTest, AStopEndsTheWaitBeforeARunAndWhereTheWorkerHasTheBackup) {
  const WorkerFiles folder;
  ReturningWorker returning({"--data-root", folder.file("")});
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  options.backup = {
      .every_steps = 3, .first_wait_seconds = 100, .longest_wait_seconds = 100, .worker_file = "state"};
  std::stop_source stop;
  std::jthread stopper;
  const auto stop_soon = [&] {
    stopper = std::jthread([stop]() mutable {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      stop.request_stop();
    });
  };
  After killer({10}, [&] {
    returning.worker->end(SIGKILL);
    stop_soon();
  });
  options.callbacks = {&killer};
  options.stop_token = stop.get_token();
  const auto start = std::chrono::steady_clock::now();
  const std::string text = error_text_of(ErrorCode::kUnavailable, [&] { train(options); });
  EXPECT_NE(text.find("fit was stopped while it waited for the worker"), std::string::npos) << text;
  stop = std::stop_source();
  options.stop_token = stop.get_token();
  options.callbacks = {};
  keras::Sequential model = make_regression();
  stop_soon();
  const auto [x, y] = regression_rows();
  EXPECT_TRUE(model.fit(x, y, options).epoch.empty()) << "the worker was lost before the run began";
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(50));
}

TEST(BackupTest, WrongOptionsAreRefused) {
  const auto with = [](const keras::BackupOptions& backup) {
    keras::FitOptions options = fit_options();
    options.backup = backup;
    return error_text_of([&] { train(options); });
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
