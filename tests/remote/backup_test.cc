/// fit on a worker that is killed and comes back: the numbers are those of a run that nothing disturbed.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "cornu/keras/keras.h"
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

TEST(BackupTest, WithoutABackupTheErrorSaysWhere) {
  ReturningWorker returning;
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
  ReturningWorker returning;
  const Connected remote(returning.worker->url(",keep_alive=2"));
  const DeviceScope scope(remote.name);
  keras::FitOptions options = fit_options();
  options.backup = {.every_steps = 2, .max_attempts = 2, .first_wait_seconds = 0.01};
  After killer({6}, [&] { returning.worker->end(SIGKILL); });
  options.callbacks = {&killer};
  const std::string text = error_of([&] { train(options); });
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
