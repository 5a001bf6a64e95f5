#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cornu/backends/sim/clock.h"
#include "cornu/backends/sim/cost_model.h"
#include "cornu/backends/sim/profile.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::sim {

/// The simulated device of a client: the CPU engine that computes for it, its clock, its memory, its faults.
/// Threads: safe.
/// Lifetime: buffers and programs share it with the client.
class Device {
 public:
  Device(const Profile& profile, const runtime::ClientOptions& options);

  const Profile& profile() const { return profile_; }
  const CostModel& costs() const { return costs_; }
  runtime::Client& engine() const { return *engine_; }
  Clock& clock() { return clock_; }

  // Each runs `work` on this machine, and charges the device for it.
  /// Waits, unless calls overlap.
  template <typename F>
  void write(std::size_t size_bytes, const F& work) {
    const SimulatedTime end =
        during({.to_device = costs_.bytes_time(size_bytes)}, costs_.transfer(size_bytes), work);
    if (!profile_.has_overlapping_calls()) clock_.wait_until(end);
  }
  /// Waits.
  template <typename F>
  void read(std::size_t size_bytes, const F& work) {
    clock_.wait_until(during({.to_host = costs_.bytes_time(size_bytes)}, costs_.transfer(size_bytes), work));
  }
  /// Does not wait; only if calls overlap.
  template <typename F>
  runtime::Event read_later(std::size_t size_bytes, const F& work) {
    return done_at(during({.to_host = costs_.bytes_time(size_bytes)}, costs_.transfer(size_bytes), work));
  }
  /// Waits.
  template <typename F>
  void compile(const F& work) {
    clock_.wait_until(during({.work = simulated_time(profile_.compile_seconds)}, costs_.compile(), work));
  }

  /// Reserves memory of a core. Values that replicas share are stored once, at core 0, for all cores.
  /// Errors: ResourceExhausted, with the bytes, if the core has no more.
  void take_memory(int core, std::size_t size_bytes, const std::string& what);
  void give_memory_back(int core, std::size_t size_bytes) {
    used_bytes_[static_cast<std::size_t>(core)].fetch_sub(size_bytes);
  }

  /// True if the device is lost.
  bool is_lost() const { return is_lost_.load(); }
  /// Errors: kUnavailable if the device is lost.
  void check_is_there() const;
  /// Announces a pass over data: its first launch may cost more.
  void begin_pass() { pass_begins_ = true; }
  /// True for the first launch of a pass; false for later ones.
  bool take_pass() { return pass_begins_.exchange(false); }

  /// Throws the error of a failed launch, unless it was reported already. Called by operations that wait for
  /// the device's work.
  /// Errors: kUnavailable, also if the device is lost.
  void check_no_failure();

  /// Launches `work` with its cost, unless the profile makes this launch fail. Later launches fail with the
  /// same error until it is reported. The event is done when the simulated time has passed.
  template <typename F>
  runtime::Event launch(const Launch& launch, const F& work) {
    const std::lock_guard lock(launch_mutex_);
    check_is_there();
    CallTimes times = costs_.launch_times(launch);
    const SimulatedTime cost = costs_.launch(launch);
    if (const std::exception_ptr failure = next_failure()) {
      times.work /= 2;
      return fail_at(during(times, cost / 2, [] {}), failure);
    }
    return done_at(during(times, cost, work));
  }

 private:
  /// Runs `work` and returns the time at which the call has ended. With a real clock the time on this machine
  /// is part of the simulated time. `cost`: of a call that does not overlap with others.
  template <typename F>
  SimulatedTime during(const CallTimes& times, SimulatedTime cost, const F& work) {
    const SimulatedTime end =
        profile_.has_overlapping_calls() ? overlapping_.submit(times) : timeline_.submit(cost);
    work();
    return end;
  }

  class Done;
  class Failed;
  std::exception_ptr next_failure();
  runtime::Event done_at(SimulatedTime time);
  runtime::Event fail_at(SimulatedTime time, const std::exception_ptr& failure);
  void mark_known(const std::exception_ptr& failure);

  Profile profile_;
  CostModel costs_;
  std::shared_ptr<runtime::Client> engine_;
  Clock clock_;
  Timeline timeline_;                                 // used if calls follow each other
  OverlappingTimeline overlapping_;                   // used if they overlap
  std::vector<std::atomic<std::size_t>> used_bytes_;  // of each core
  std::mutex launch_mutex_;
  std::int64_t num_launches_ = 0;
  std::atomic<bool> is_lost_{false};
  std::atomic<bool> pass_begins_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;  // not reported yet
};

}  // namespace cornu::inline v0::backends::sim
