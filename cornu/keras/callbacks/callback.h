#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "cornu/keras/base/state.h"
#include "cornu/keras/callbacks/logs.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::keras {
class Model;
}

namespace cornu::inline v0::keras::callbacks {

/// The batches of one execution, counted from 0 in the epoch. With steps_per_execution = K, count is K except
/// in the remainder of an epoch.
struct BatchRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t count = 0;
};

/// The settings of a run of fit, evaluate or predict; set before its first hook.
struct CallbackParams {
  int verbose = 0;
  std::int64_t epochs = 1;
  std::int64_t steps = 0;  // steps in an epoch; 0: the source of the batches has no known number
  /// Counts the steps of the running execution; lives as long as the run.
  const runtime::Progress* progress = nullptr;
};

/// Base class of callbacks, which observe and control training, with Keras's hooks.
///
/// Batch hooks are called once for each execution, with all its batches. Metric values are read from the
/// device only when a hook calls `logs.get()`: a callback that ignores them costs a virtual call. Epoch hooks
/// may add to `logs`, as in Keras.
/// Lifetime: the model is alive during a run only.
/// Threads: hooks are called on the thread that called fit.
class Callback {
 public:
  virtual ~Callback() = default;

  virtual void set_model(Model* model) { model_ = model; }
  virtual void set_params(const CallbackParams& params) { params_ = params; }

  virtual void on_train_begin() {}
  virtual void on_train_end(Logs& /*logs*/) {}
  virtual void on_epoch_begin(std::int64_t /*epoch*/) {}
  virtual void on_epoch_end(std::int64_t /*epoch*/, Logs& /*logs*/) {}
  /// Keras's shorter names of the hooks for training batches, which call them unless overridden.
  virtual void on_batch_begin(const BatchRange& /*batches*/) {}
  virtual void on_batch_end(const BatchRange& /*batches*/, LazyLogs& /*logs*/) {}
  virtual void on_train_batch_begin(const BatchRange& batches) { on_batch_begin(batches); }
  virtual void on_train_batch_end(const BatchRange& batches, LazyLogs& logs) { on_batch_end(batches, logs); }

  virtual void on_test_begin() {}
  virtual void on_test_end(Logs& /*logs*/) {}
  virtual void on_test_batch_begin(const BatchRange& /*batches*/) {}
  virtual void on_test_batch_end(const BatchRange& /*batches*/, LazyLogs& /*logs*/) {}

  virtual void on_predict_begin() {}
  virtual void on_predict_end() {}
  virtual void on_predict_batch_begin(const BatchRange& /*batches*/) {}
  virtual void on_predict_batch_end(const BatchRange& /*batches*/) {}

  /// The state to resume from, a result of Model::training_state(); empty: none. Called before anything else;
  /// FitOptions::resume_from takes precedence.
  virtual StateValues resume_from() { return {}; }

  /// The callback's state in a saved run, loaded after on_train_begin. Lifetime of the entries: the
  /// callback's.
  virtual StateList state() { return {}; }

  /// True if the callback has ended the run because training is complete, as EarlyStopping does. Called after
  /// on_epoch_end, and in a resumed run, which then has nothing left to do.
  virtual bool has_ended_training() const { return false; }

  /// Called before on_epochs_done if the run was stopped before its training was complete:
  /// Model::training_state() is the state to resume from.
  virtual void on_train_stopped() {}

  /// The class's name, for messages.
  virtual std::string name() const;

  /// Called when the last epoch of fit has ended, for any reason. Afterwards an optimizer with use_ema loads
  /// the averages into the weights, and on_train_end is called.
  virtual void on_epochs_done() {}

  /// The most batches of one call of a batch hook; steps_per_execution = "auto" does not exceed it.
  virtual std::int64_t max_batches_per_call() const { return std::numeric_limits<std::int64_t>::max(); }

  /// Called when the run ends by an exception: stop threads and finish half-drawn lines. Must not throw.
  virtual void on_abandon() noexcept {}

 protected:
  /// Errors: FailedPrecondition if there is none, because a CallbackList was made without a model.
  Model* model() const;
  bool has_model() const { return model_ != nullptr; }
  const CallbackParams& params() const { return params_; }

 private:
  friend class CallbackList;
  Model* model_ = nullptr;
  CallbackParams params_;
};

/// An entry of FitOptions::callbacks: a callback by value (moved in), by shared_ptr, or by pointer (the
/// caller keeps it alive).
class CallbackEntry {
 public:
  template <typename T>
    requires std::is_base_of_v<Callback, T>
  CallbackEntry(T&& callback) : callback_(std::make_shared<std::remove_cv_t<T>>(std::forward<T>(callback))) {}
  template <typename T>
    requires std::is_base_of_v<Callback, T>
  // Deleted: a copy would be called in place of your callback. Pass &callback or std::move(callback).
  CallbackEntry(T& callback) = delete;
  template <typename T>
    requires std::is_base_of_v<Callback, T>
  CallbackEntry(std::shared_ptr<T> callback) : callback_(std::move(callback)) {}
  template <typename T>
    requires std::is_base_of_v<Callback, T>
  CallbackEntry(T* callback) : callback_(std::shared_ptr<Callback>(), callback) {}

  const std::shared_ptr<Callback>& get() const { return callback_; }

 private:
  std::shared_ptr<Callback> callback_;
};

}  // namespace cornu::inline v0::keras::callbacks
