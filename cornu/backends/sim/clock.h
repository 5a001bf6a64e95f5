#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace cornu::inline v0::backends::sim {

/// Time of a simulated device, in whole picoseconds, so that a sum of costs is exact; 106 days at most.
using SimulatedTime = std::chrono::duration<std::int64_t, std::pico>;

/// Seconds as simulated time, rounded; what is beyond the largest time is the largest.
SimulatedTime simulated_time(double seconds);
double seconds(SimulatedTime time);
/// x + y, at most the largest time.
SimulatedTime saturated_sum(SimulatedTime x, SimulatedTime y);

/// The time of a simulated device and its host, from 0 on: real, or moved by nothing but what is waited for.
/// Threads: safe.
class Clock {
 public:
  explicit Clock(bool is_virtual) : is_virtual_(is_virtual), start_(std::chrono::steady_clock::now()) {}

  bool is_virtual() const { return is_virtual_; }
  SimulatedTime now() const;
  /// Returns when it is `time`: at once, and that is the time now, on a virtual clock.
  void wait_until(SimulatedTime time);

 private:
  bool is_virtual_;
  std::chrono::steady_clock::time_point start_;
  mutable std::mutex mutex_;
  SimulatedTime virtual_now_{0};
};

/// What a device does one thing after the other.
/// Threads: safe.
class Timeline {
 public:
  explicit Timeline(Clock& clock) : clock_(clock) {}

  /// Work that the host asks for now and that takes this long: begins when the work before it has ended.
  /// Returns when it will have ended.
  SimulatedTime submit(SimulatedTime cost);

 private:
  Clock& clock_;
  std::mutex mutex_;
  SimulatedTime free_from_{0};
};

}  // namespace cornu::inline v0::backends::sim
