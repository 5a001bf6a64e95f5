#include "cornu/backends/sim/clock.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace cornu::inline v0::backends::sim {

SimulatedTime simulated_time(double seconds) {
  const double picoseconds = seconds * 1e12;
  if (!(picoseconds < static_cast<double>(SimulatedTime::max().count()))) return SimulatedTime::max();
  return SimulatedTime(std::llround(picoseconds));
}

double seconds(SimulatedTime time) { return static_cast<double>(time.count()) * 1e-12; }

SimulatedTime saturated_sum(SimulatedTime x, SimulatedTime y) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(x.count(), y.count(), &sum) ? SimulatedTime::max() : SimulatedTime(sum);
}

SimulatedTime Clock::now() const {
  if (!is_virtual_)
    return std::chrono::duration_cast<SimulatedTime>(std::chrono::steady_clock::now() - start_);
  const std::lock_guard lock(mutex_);
  return virtual_now_;
}

void Clock::wait_until(SimulatedTime time) {
  if (!is_virtual_) {
    std::this_thread::sleep_until(start_ +
                                  std::chrono::duration_cast<std::chrono::steady_clock::duration>(time));
    return;
  }
  const std::lock_guard lock(mutex_);
  virtual_now_ = std::max(virtual_now_, time);
}

SimulatedTime Timeline::submit(SimulatedTime cost) {
  const std::lock_guard lock(mutex_);
  free_from_ = saturated_sum(std::max(free_from_, clock_.now()), cost);
  return free_from_;
}

SimulatedTime OverlappingTimeline::submit(const CallTimes& times) {
  const std::lock_guard lock(mutex_);
  const auto pass = [](SimulatedTime& free_from, SimulatedTime arrival, SimulatedTime time) {
    return free_from = saturated_sum(std::max(free_from, arrival), time);
  };
  const SimulatedTime sent = pass(way_there_free_from_, clock_.now(), times.to_device);
  const SimulatedTime done = pass(device_free_from_, saturated_sum(sent, latency_there_), times.work);
  return saturated_sum(pass(way_back_free_from_, done, times.to_host), latency_back_);
}

}  // namespace cornu::inline v0::backends::sim
