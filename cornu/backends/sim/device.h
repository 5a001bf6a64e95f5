#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cornu/backends/sim/clock.h"
#include "cornu/backends/sim/cost_model.h"
#include "cornu/backends/sim/profile.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::sim {

/// The device behind a client: the CPU engine that computes in its place, its clock, its memory, its faults.
/// Threads: safe.
/// Lifetime: buffers and programs share it with the client.
class Device {
 public:
  Device(const Profile& profile, const runtime::ClientOptions& options);

  const Profile& profile() const { return profile_; }
  const CostModel& costs() const { return costs_; }
  runtime::Client& engine() const { return *engine_; }
  Clock& clock() { return clock_; }

  /// Does `work` on this machine for what costs the device `cost`, and waits until that time has passed.
  template <typename F>
  void spend(SimulatedTime cost, const F& work) {
    clock_.wait_until(during(cost, work));
  }

  /// Takes memory. Errors: ResourceExhausted, naming the bytes, when the profile has no more.
  void take_memory(std::size_t size_bytes, const std::string& what);
  void give_memory_back(std::size_t size_bytes) { used_bytes_.fetch_sub(size_bytes); }

  /// Whether the device has gone away.
  bool is_lost() const { return is_lost_.load(); }
  /// Errors: kUnavailable once the device has gone away.
  void check_is_there() const;
  /// A pass over data begins: its first launch may cost more.
  void begin_pass() { pass_begins_ = true; }
  /// Whether the launch that asks is the first of its pass. Those that ask later are not.
  bool take_pass() { return pass_begins_.exchange(false); }

  /// Throws the error of a failed launch, unless somebody has been told already. For what waits for the
  /// device's work.
  /// Errors: kUnavailable, also once the device has gone away.
  void check_no_failure();

  /// A launch of this cost: computes by `work` unless the profile says that this one fails. Later launches
  /// fail with the same error until somebody has been told. The event is done when the simulated time has
  /// passed.
  template <typename F>
  runtime::Event launch(SimulatedTime cost, const F& work) {
    const std::lock_guard lock(launch_mutex_);
    check_is_there();
    if (const std::exception_ptr failure = next_failure())
      return fail_after(SimulatedTime(cost.count() / 2), failure);
    return done_at(during(cost, work));
  }

 private:
  /// When the device will be done. The time that this machine takes is part of the simulated one where the
  /// clock is real.
  template <typename F>
  SimulatedTime during(SimulatedTime cost, const F& work) {
    const SimulatedTime end = timeline_.submit(cost);
    work();
    return end;
  }

  class Done;
  class Failed;
  std::exception_ptr next_failure();
  runtime::Event done_at(SimulatedTime time);
  runtime::Event fail_after(SimulatedTime cost, const std::exception_ptr& failure);
  void mark_known(const std::exception_ptr& failure);

  Profile profile_;
  CostModel costs_;
  std::shared_ptr<runtime::Client> engine_;
  Clock clock_;
  Timeline timeline_;
  std::atomic<std::size_t> used_bytes_{0};
  std::mutex launch_mutex_;
  std::int64_t num_launches_ = 0;
  std::atomic<bool> is_lost_{false};
  std::atomic<bool> pass_begins_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;  // of which nobody has been told yet
};

}  // namespace cornu::inline v0::backends::sim
