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

/// The batches of one execution, counted from 0 in the epoch. With steps_per_execution = K, count is K but
/// for the tail.
struct BatchRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t count = 0;
};

/// What a run of fit, evaluate or predict is like; set before its first hook.
struct CallbackParams {
  int verbose = 0;
  std::int64_t epochs = 1;
  std::int64_t steps = 0;  // executed steps an epoch; 0: the source of the batches has not said
  /// Counts the steps of the running execution; lives as long as the run.
  const runtime::Progress* progress = nullptr;
};

/// Base class of what watches and steers training, with Keras's hooks.
///
/// Batch hooks are called once an execution, with all batches that it ran. Metric values are read from the
/// device only when a hook calls `logs.get()`: a callback that ignores them costs a virtual call. Epoch hooks
/// may add to `logs`, as in Keras.
/// Lifetime: the model is alive during a run only.
/// Threads: hooks are called from the thread that called fit.
class Callback {
 public:
  virtual ~Callback() = default;

  virtual void set_model(Model* model) { model_ = model; }
  virtual void set_params(const CallbackParams& params) { params_ = params; }

  virtual void on_train_begin() {}
  virtual void on_train_end(Logs& /*logs*/) {}
  virtual void on_epoch_begin(std::int64_t /*epoch*/) {}
  virtual void on_epoch_end(std::int64_t /*epoch*/, Logs& /*logs*/) {}
  /// Keras's shorter names of the training batches' hooks, which call them unless overridden.
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

  /// What the run of fit that begins is to go on from, as Model::training_state() gave it; empty: nothing.
  /// Asked before anything else; FitOptions::resume_from comes before it.
  virtual StateValues resume_from() { return {}; }

  /// What it has to remember for a run that goes on, loaded after on_train_begin. Lifetime of the entries:
  /// the callback's.
  virtual StateList state() { return {}; }

  /// Whether it ended the run because, from what it saw, the training is over, as EarlyStopping does. Asked
  /// behind on_epoch_end, and of a run that resumes, which then has nothing left to do.
  virtual bool has_ended_training() const { return false; }

  /// The run was stopped before its training was over: Model::training_state() is what another run goes on
  /// from. Called before on_epochs_done.
  virtual void on_train_stopped() {}

  /// The class's name, for messages.
  virtual std::string name() const;

  /// The last epoch of fit has ended, whatever ended it. Behind this an optimizer with use_ema gives the
  /// weights their averages, and on_train_end is called.
  virtual void on_epochs_done() {}

  /// The most batches that one call of a batch hook may stand for; steps_per_execution = "auto" stays below
  /// it.
  virtual std::int64_t max_batches_per_call() const { return std::numeric_limits<std::int64_t>::max(); }

  /// The run ended by an exception: give up threads and half-drawn lines. Must not throw.
  virtual void on_abandon() noexcept {}

 protected:
  /// Errors: FailedPrecondition when there is none: a CallbackList was made without.
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
  // A copy would be called in place of your callback: pass &callback or std::move(callback).
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
