#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cornu/base/steady_clock.h"
#include "cornu/keras/callbacks/callback_list.h"

namespace cornu::inline v0::keras {

/// Measures the batch hooks of a run's first executions and names the callback that takes longer than the
/// steps, once.
///
/// Semantics: measures the first kDenseExecutions executions, then every kStride-th, because reading the
///            clock takes as long as a short step. It ends when executions and hooks have taken
///            kSampleSeconds together, after at least kLeastExecutions. After that, and in runs without
///            callbacks of the user's, a hook has no overhead.
class SlowCallbackWatch {
 public:
  static constexpr double kSampleSeconds = 0.05;
  static constexpr std::int64_t kLeastExecutions = 4;
  static constexpr std::int64_t kDenseExecutions = 64;
  static constexpr std::int64_t kStride = 16;

  /// `now`: a clock in seconds; replaced in tests.
  explicit SlowCallbackWatch(callbacks::CallbackList& callbacks, double (*now)() = &steady_seconds)
      : callbacks_(callbacks),
        now_(now),
        seconds_(callbacks.given().size(), 0.0),
        is_measuring_(!callbacks.are_display_only()),
        is_done_(!is_measuring_) {}

  /// Called before an execution; returns is_measuring().
  bool begin_execution() {
    if (!is_done_) is_measuring_ = num_begun_ < kDenseExecutions || num_begun_ % kStride == 0;
    ++num_begun_;
    return is_measuring_;
  }
  /// True if this execution is measured.
  bool is_measuring() const { return is_measuring_; }

  /// Calls the hook of all callbacks; measures it if this execution is measured.
  template <typename Hook>
  void call(Hook&& hook) {
    if (!is_measuring_) {
      callbacks_.call(hook);
      return;
    }
    const auto given = callbacks_.given();
    for (std::size_t i = 0; i < given.size(); ++i) {
      const double start = now_();
      hook(*given[i]);
      seconds_[i] += now_() - start;
    }
    for (const auto& callback : callbacks_.added()) hook(*callback);
  }

  /// Records the duration of an execution of `steps` steps. Returns the text of a warning if the sample is
  /// complete and a callback is slow, else an empty string.
  std::string record(std::int64_t steps, double seconds);

 private:
  callbacks::CallbackList& callbacks_;
  double (*now_)();
  std::vector<double> seconds_;  // of each callback
  bool is_measuring_;
  bool is_done_;
  std::int64_t num_begun_ = 0;
  std::int64_t executions_ = 0;
  std::int64_t steps_ = 0;
  double execution_seconds_ = 0;
};

}  // namespace cornu::inline v0::keras
