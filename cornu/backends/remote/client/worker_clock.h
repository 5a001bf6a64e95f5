#pragma once

#include <mutex>
#include <optional>

namespace cornu::inline v0::backends::remote {

/// The virtual clock of a worker's device, as the worker's answers report it.
/// Threads: safe.
class WorkerClock {
 public:
  /// Nothing where the worker reports no clock: time is the host's there.
  std::optional<double> now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  /// Takes what an answer reports. Time never goes back.
  void take(double seconds) {
    const std::lock_guard lock(mutex_);
    if (!now_.has_value()) offset_ = before_.value_or(seconds) - seconds;
    now_ = now_.has_value() && *now_ > offset_ + seconds ? *now_ : offset_ + seconds;
  }
  /// The next answer is of another session, whose clock may be that of a new worker: time goes on from here.
  void restart() {
    const std::lock_guard lock(mutex_);
    if (now_.has_value()) before_ = now_;
    now_.reset();
  }

 private:
  mutable std::mutex mutex_;
  std::optional<double> now_, before_;  // `before_`: when it was restarted
  double offset_ = 0;                   // of now_ from the worker's clock
};

}  // namespace cornu::inline v0::backends::remote
