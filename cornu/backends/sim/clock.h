#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>

namespace cornu::inline v0::backends::sim {

/// Time of a simulated device, in whole picoseconds, so that a sum of costs is exact; 106 days at most.
using SimulatedTime = std::chrono::duration<std::int64_t, std::pico>;

/// Converts seconds to simulated time, rounded and limited to the largest time.
SimulatedTime simulated_time(double seconds);
double seconds(SimulatedTime time);
/// x + y, limited to the largest time.
SimulatedTime saturated_sum(SimulatedTime x, SimulatedTime y);

/// The time of a simulated device and its host, starting at 0: real, or advanced only by waits.
/// Threads: safe.
class Clock {
 public:
  explicit Clock(bool is_virtual) : is_virtual_(is_virtual), start_(std::chrono::steady_clock::now()) {}

  bool is_virtual() const { return is_virtual_; }
  SimulatedTime now() const;
  /// Waits until `time`; a virtual clock is set to it without waiting.
  void wait_until(SimulatedTime time);

 private:
  bool is_virtual_;
  std::chrono::steady_clock::time_point start_;
  mutable std::mutex mutex_;
  SimulatedTime virtual_now_{0};
};

/// A device's queue: work is executed one item after another.
/// Threads: safe.
class Timeline {
 public:
  explicit Timeline(Clock& clock) : clock_(clock) {}

  /// Submits work of this duration, which begins after the previous work. Returns the time of its end.
  SimulatedTime submit(SimulatedTime cost);

 private:
  Clock& clock_;
  std::mutex mutex_;
  SimulatedTime free_from_{0};
};

/// The times that a call takes from each resource.
struct CallTimes {
  SimulatedTime to_device{0};  // of the bytes on the way there
  SimulatedTime work{0};       // of the device
  SimulatedTime to_host{0};    // of the bytes on the way back
};

/// A link that works beside a device: the way there, the device and the way back each handle one call after
/// another, in the order of submission, and different calls at the same time.
/// Threads: safe.
class OverlappingTimeline {
 public:
  /// `latency`: of a round trip; half of it passes in each direction, beside everything else.
  OverlappingTimeline(Clock& clock, SimulatedTime latency)
      : clock_(clock), latency_there_(latency / 2), latency_back_(latency - latency / 2) {}

  /// Submits a call; returns the time at which its reply has arrived.
  SimulatedTime submit(const CallTimes& times);

 private:
  Clock& clock_;
  const SimulatedTime latency_there_, latency_back_;
  std::mutex mutex_;
  SimulatedTime way_there_free_from_{0}, device_free_from_{0}, way_back_free_from_{0};
};

}  // namespace cornu::inline v0::backends::sim
