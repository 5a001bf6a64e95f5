#pragma once

#include <memory>
#include <vector>

#include "cornu/keras/callbacks/callback.h"
#include "cornu/keras/callbacks/history.h"

namespace cornu::keras::callbacks {

/// The callbacks of one run, called in order: the user's, then the progress bar and the History unless the user brought one.
class CallbackList {
 public:
  struct Options {
    bool add_history = false;
    bool add_progress_bar = false;
    Model* model = nullptr;
    CallbackParams params;
  };
  CallbackList(const std::vector<CallbackEntry>& entries, const Options& options);

  /// Null unless there is one.
  History* history() const { return history_; }
  bool empty() const { return callbacks_.empty(); }
  std::int64_t max_batches_per_call() const { return max_batches_per_call_; }

  /// Calls hook(callback) for each, in order.
  template <typename Hook>
  void call(Hook&& hook) {
    for (const std::shared_ptr<Callback>& callback : callbacks_) hook(*callback);
  }

 private:
  std::vector<std::shared_ptr<Callback>> callbacks_;
  History* history_ = nullptr;
  std::int64_t max_batches_per_call_ = 0;
};

}  // namespace cornu::keras::callbacks
