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
  /// Takes the time that an answer reports, if it reports one. Time never goes back. Values that are no time
  /// (below 0, above kMostSeconds, NaN) are ignored: their sums and differences could be infinite or NaN.
  void take(std::optional<double> seconds) {
    const std::lock_guard lock(mutex_);
    advance(seconds);
  }
  /// Takes the first answer of another session, whose clock may be that of a new worker: time goes on from
  /// here.
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
  std::optional<double> now_, before_;  // `before_`: when it was restarted
  double offset_ = 0;                   // of now_ from the worker's clock
};

}  // namespace cornu::inline v0::backends::remote
