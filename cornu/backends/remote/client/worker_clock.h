#pragma once

#include <mutex>
#include <optional>

namespace cornu::inline v0::backends::remote {

/// The virtual clock of a worker's device, from the worker's replies.
/// Threads: safe.
class WorkerClock {
 public:
  /// Empty if the worker reports no clock: the device then uses the host's time.
  std::optional<double> now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  /// Sets the time from a reply, if it has one. Time never goes back. Invalid values (below 0, above
  /// kMostSeconds, NaN) are ignored: their sums and differences could be infinite or NaN.
  void take(std::optional<double> seconds) {
    const std::lock_guard lock(mutex_);
    advance(seconds);
  }
  /// Sets the time from the first reply of another session, whose clock may be that of a new worker: time
  /// continues from the present value.
  void restart(std::optional<double> seconds) {
    const std::lock_guard lock(mutex_);
    if (now_.has_value()) before_ = now_;
    now_.reset();
    advance(seconds);
  }

  static constexpr double kMostSeconds = 1e12;  // 30,000 years

 private:
  void advance(std::optional<double> seconds) {
    if (!seconds.has_value() || !(*seconds >= 0 && *seconds <= kMostSeconds)) return;
    if (!now_.has_value()) offset_ = before_.value_or(*seconds) - *seconds;
    now_ = now_.has_value() && *now_ > offset_ + *seconds ? *now_ : offset_ + *seconds;
  }

  mutable std::mutex mutex_;
  std::optional<double> now_, before_;  // `before_`: at the restart
  double offset_ = 0;                   // difference between now_ and the worker's clock
};

}  // namespace cornu::inline v0::backends::remote
