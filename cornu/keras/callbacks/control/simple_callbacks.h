#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/base/string_argument.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/callbacks/callback.h"

namespace cornu::inline v0::keras::callbacks {

struct LambdaCallbackOptions {  // options/callbacks.toml
  /// Called before an epoch, counted from 0; empty: not called.
  std::function<void(std::int64_t epoch)> on_epoch_begin = {};
  /// Called after an epoch with its logs, which it may change; empty: not called.
  std::function<void(std::int64_t epoch, Logs& logs)> on_epoch_end = {};
  /// Called when fit() begins; empty: not called.
  std::function<void()> on_train_begin = {};
  /// Called when fit() ends, with the last logs; empty: not called.
  std::function<void(Logs& logs)> on_train_end = {};
  /// Called before an execution of one or several training steps; empty: not called.
  std::function<void(const BatchRange& batches)> on_train_batch_begin = {};
  /// Called after an execution of one or several training steps with its logs; empty: not called.
  std::function<void(const BatchRange& batches, LazyLogs& logs)> on_train_batch_end = {};
  /// Called when evaluate() or validation begins; empty: not called.
  std::function<void()> on_test_begin = {};
  /// Called when evaluate() or validation ends, with its logs; empty: not called.
  std::function<void(Logs& logs)> on_test_end = {};
  /// Called before an execution of evaluate() or validation; empty: not called.
  std::function<void(const BatchRange& batches)> on_test_batch_begin = {};
  /// Called after an execution of evaluate() or validation with its logs; empty: not called.
  std::function<void(const BatchRange& batches, LazyLogs& logs)> on_test_batch_end = {};
  /// Called when predict() begins; empty: not called.
  std::function<void()> on_predict_begin = {};
  /// Called when predict() ends; empty: not called.
  std::function<void()> on_predict_end = {};
  /// Called before an execution of predict(); empty: not called.
  std::function<void(const BatchRange& batches)> on_predict_batch_begin = {};
  /// Called after an execution of predict(); empty: not called.
  std::function<void(const BatchRange& batches)> on_predict_batch_end = {};
};
/// A callback made of functions; unset functions are skipped.
class LambdaCallback : public Callback {
 public:
  explicit LambdaCallback(LambdaCallbackOptions options) : options_(std::move(options)) {}

  void on_train_begin() override { run(options_.on_train_begin); }
  void on_train_end(Logs& logs) override { run(options_.on_train_end, logs); }
  void on_epoch_begin(std::int64_t epoch) override { run(options_.on_epoch_begin, epoch); }
  void on_epoch_end(std::int64_t epoch, Logs& logs) override { run(options_.on_epoch_end, epoch, logs); }
  void on_train_batch_begin(const BatchRange& batches) override {
    run(options_.on_train_batch_begin, batches);
  }
  void on_train_batch_end(const BatchRange& batches, LazyLogs& logs) override {
    run(options_.on_train_batch_end, batches, logs);
  }
  void on_test_begin() override { run(options_.on_test_begin); }
  void on_test_end(Logs& logs) override { run(options_.on_test_end, logs); }
  void on_test_batch_begin(const BatchRange& batches) override { run(options_.on_test_batch_begin, batches); }
  void on_test_batch_end(const BatchRange& batches, LazyLogs& logs) override {
    run(options_.on_test_batch_end, batches, logs);
  }
  void on_predict_begin() override { run(options_.on_predict_begin); }
  void on_predict_end() override { run(options_.on_predict_end); }
  void on_predict_batch_begin(const BatchRange& batches) override {
    run(options_.on_predict_batch_begin, batches);
  }
  void on_predict_batch_end(const BatchRange& batches) override {
    run(options_.on_predict_batch_end, batches);
  }

 private:
  template <typename F, typename... Args>
  void run(const F& function, Args&... args) {
    if (function) function(args...);
  }

  LambdaCallbackOptions options_;
};

struct LearningRateSchedulerOptions {  // options/callbacks.toml
  /// 1: prints a message when the callback acts; 0: silent.
  int verbose = 0;
};

/// Sets the learning rate of each epoch; adds "learning_rate" to the logs. The schedule takes the epoch,
/// counted from 0, and optionally the previous rate. Programs are not compiled again.
/// Errors: InvalidArgument for an empty function.
class LearningRateScheduler : public Callback {
 public:
  using Schedule = std::function<double(std::int64_t epoch, double learning_rate)>;
  template <typename F>
    requires(std::invocable<F, std::int64_t, double> || std::invocable<F, std::int64_t>)
  explicit LearningRateScheduler(F schedule, LearningRateSchedulerOptions options = {})
      : schedule_(schedule_of(std::move(schedule))), verbose_(options.verbose) {}
  template <typename F>
    requires(std::invocable<F, std::int64_t, double> || std::invocable<F, std::int64_t>)
  LearningRateScheduler(F schedule, int verbose)
      : LearningRateScheduler(std::move(schedule), {.verbose = verbose}) {}

  void on_epoch_begin(std::int64_t epoch) override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;

 private:
  template <typename F>
  static Schedule schedule_of(F schedule) {
    check_callable("learning_rate_scheduler", "schedule", schedule);
    if constexpr (std::invocable<F, std::int64_t, double>) {
      return schedule;
    } else {
      return [schedule = std::move(schedule)](std::int64_t epoch, double) { return schedule(epoch); };
    }
  }

  Schedule schedule_;
  int verbose_;
};

struct TerminateOnNaNOptions {  // options/callbacks.toml
  /// True: throws Error(kDataLoss) instead of ending the run without an error.
  bool raise_error = false;
};

/// Ends training if the loss is not finite. It checks the mean loss after an execution, when the weights are
/// already corrupted: CompileOptions::stop_on_nan stops at the faulty step and keeps the last good weights.
class TerminateOnNaN : public Callback {
 public:
  explicit TerminateOnNaN(TerminateOnNaNOptions options = {}) : options_(options) {}
  explicit TerminateOnNaN(NoOptions) : TerminateOnNaN() {}
  void on_train_begin() override { has_ended_ = false; }
  void on_batch_end(const BatchRange& batches, LazyLogs& logs) override;
  bool has_ended_training() const override { return has_ended_; }

 private:
  TerminateOnNaNOptions options_;
  bool has_ended_ = false;
};

struct CSVLoggerOptions {  // options/callbacks.toml
  /// Path of the file; required.
  std::string filename = {};
  /// Character between two values of a row.
  std::string separator = ",";
  /// True: adds rows to an existing file and keeps its header.
  bool append = false;
};

/// Writes a row of logs for each epoch into a CSV file, with Keras's columns and number format. Each row is
/// written completely or not at all.
/// Errors: those of the file, with its name and the system's message, when fit begins, or at the epoch whose
///         row could not be written.
class CSVLogger : public Callback {
 public:
  explicit CSVLogger(CSVLoggerOptions options);
  /// The filename as first argument, as in Keras: `CSVLogger("log.csv", {.append = true})`. A template, so
  /// that braces can only be options.
  template <StringLike Name>
  explicit CSVLogger(Name&& filename, CSVLoggerOptions options = {})
      : CSVLogger(with_filename(std::forward<Name>(filename), std::move(options))) {}
  ~CSVLogger() override;
  CSVLogger(CSVLogger&& other) noexcept;

  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  void on_train_end(Logs& logs) override;
  void on_abandon() noexcept override;

 private:
  static CSVLoggerOptions with_filename(StringArgument filename, CSVLoggerOptions options);
  void close() noexcept;
  void write_row(const std::vector<std::string>& fields);

  CSVLoggerOptions options_;
  int file_ = -1;
  bool needs_header_ = true;
  std::vector<std::string> keys_;  // empty until the first epoch
};

}  // namespace cornu::inline v0::keras::callbacks
