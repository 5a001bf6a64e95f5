#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "cornu/keras/callbacks/callback.h"
#include "cornu/keras/callbacks/history.h"

namespace cornu::inline v0::keras::callbacks {

/// The callbacks of one run, called in order: the user's, then a progress bar and a History unless the user's
/// include one.
///
/// Custom training loops call the hooks of the same names:
///
///     callbacks::CallbackList callbacks({&stopper, &logger},
///                                       {.model = &model, .params = {.epochs = 10, .steps = 100}});
///     callbacks.on_train_begin();
///     for (std::int64_t epoch = 0; epoch < 10 && !model.stop_training(); ++epoch) {
///       callbacks.on_epoch_begin(epoch);
///       ...
///       callbacks.on_epoch_end(epoch, {{"loss", loss}});
///     }
///     callbacks.on_train_end();
class CallbackList {
 public:
  struct Options {
    /// True: adds a History unless the list has one.
    bool add_history = false;
    /// True: adds a progress bar unless the list has one.
    bool add_progress_bar = false;
    /// Model of the callbacks; null: none.
    Model* model = nullptr;
    /// Numbers of epochs, steps and samples that the callbacks receive.
    CallbackParams params = {};
  };
  /// Without a model, hooks that need one throw FailedPrecondition. Errors: InvalidArgument for a null entry.
  explicit CallbackList(const std::vector<CallbackEntry>& entries) : CallbackList(entries, Options()) {}
  CallbackList(const std::vector<CallbackEntry>& entries, const Options& options);
  /// Gives the callbacks back the model that they had before: a run uses its own handle, since callbacks may
  /// destroy the caller's.
  ~CallbackList();
  CallbackList(const CallbackList&) = delete;
  CallbackList& operator=(const CallbackList&) = delete;

  /// Null if there is none.
  History* history() const { return history_; }
  /// True if all are a History or a progress bar, which show logs and change nothing.
  bool are_display_only() const;
  bool empty() const { return callbacks_.empty(); }
  std::int64_t max_batches_per_call() const { return max_batches_per_call_; }

  /// Calls hook(callback) for each callback, in order.
  template <typename Hook>
  void call(Hook&& hook) {
    for (const std::shared_ptr<Callback>& callback : callbacks_) hook(*callback);
  }

  // The hooks, for custom training loops. Epoch hooks may add to logs; on_epoch_end returns the resulting
  // logs.
  void on_train_begin();
  void on_train_end(Logs logs = {});
  void on_epoch_begin(std::int64_t epoch);
  Logs on_epoch_end(std::int64_t epoch, Logs logs = {});
  void on_train_batch_begin(const BatchRange& batches);
  void on_train_batch_end(const BatchRange& batches, const Logs& logs = {});
  void on_test_begin();
  void on_test_end(Logs logs = {});
  void on_test_batch_begin(const BatchRange& batches);
  void on_test_batch_end(const BatchRange& batches, const Logs& logs = {});
  void on_predict_begin();
  void on_predict_end();
  void on_predict_batch_begin(const BatchRange& batches);
  void on_predict_batch_end(const BatchRange& batches);

  /// The callbacks that were given to this list, without those that it added.
  std::span<const std::shared_ptr<Callback>> given() const { return {callbacks_.data(), num_given_}; }
  std::span<const std::shared_ptr<Callback>> added() const {
    return {callbacks_.data() + num_given_, callbacks_.size() - num_given_};
  }

 private:
  std::vector<std::shared_ptr<Callback>> callbacks_;
  std::vector<Model*> models_before_;
  std::size_t num_given_ = 0;
  History* history_ = nullptr;
  std::int64_t max_batches_per_call_ = 0;
};

}  // namespace cornu::inline v0::keras::callbacks
