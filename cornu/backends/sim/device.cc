#include "cornu/backends/sim/device.h"

#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::sim {

/// Done at a given time.
class Device::Done final : public runtime::Event::State {
 public:
  Done(Device& device, SimulatedTime time) : device_(device), time_(time) {}
  bool is_ready() override { return device_.clock_.now() >= time_; }
  void wait() override { device_.clock_.wait_until(time_); }

 private:
  Device& device_;
  SimulatedTime time_;
};

/// Fails at a given time.
class Device::Failed final : public runtime::Event::State {
 public:
  Failed(Device& device, SimulatedTime time, std::exception_ptr failure)
      // NOLINTNEXTLINE(bugprone-throw-keyword-missing): a member, which wait() throws
      : device_(device), time_(time), failure_(std::move(failure)) {}
  bool is_ready() override { return device_.clock_.now() >= time_; }
  void wait() override {
    device_.clock_.wait_until(time_);
    device_.mark_known(failure_);
    std::rethrow_exception(failure_);
  }

 private:
  Device& device_;
  SimulatedTime time_;
  std::exception_ptr failure_;
};

Device::Device(const Profile& profile, const runtime::ClientOptions& options)
    : profile_(profile),
      costs_(profile),
      engine_(runtime::make_client("cpu", options)),
      clock_(profile.has_virtual_clock()),
      timeline_(clock_),
      overlapping_(clock_, simulated_time(profile.link_latency_seconds)),
      used_bytes_(static_cast<std::size_t>(profile.num_cores)) {}

void Device::take_memory(int core, std::size_t size_bytes, const std::string& what) {
  std::atomic<std::size_t>& used = used_bytes_[static_cast<std::size_t>(core)];
  const std::size_t before = used.fetch_add(size_bytes);
  if (profile_.memory_bytes == 0 ||
      static_cast<double>(before) + static_cast<double>(size_bytes) <= profile_.memory_bytes)
    return;
  used.fetch_sub(size_bytes);
  fail(ErrorCode::kResourceExhausted,
       "[sim] {} takes {} bytes; device \"{}\" has {:.0f}, of which {} are taken", what, size_bytes,
       profile_.name, profile_.memory_bytes, before);
}

void Device::check_is_there() const {
  if (is_lost())
    fail(ErrorCode::kUnavailable,
         "[sim] device \"{}\" is gone, as its profile says (lose_at_launch = {:.0f}), and what it held with "
         "it",
         profile_.name, profile_.lose_at_launch);
}

void Device::check_no_failure() {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(failure_mutex_);
    failure = std::exchange(failure_, nullptr);
  }
  if (failure != nullptr) std::rethrow_exception(failure);
  check_is_there();
}

std::exception_ptr Device::next_failure() {
  const std::lock_guard lock(failure_mutex_);
  const auto number = static_cast<double>(++num_launches_);
  if (failure_ != nullptr) return failure_;
  if (number == profile_.lose_at_launch) {
    is_lost_ = true;
    failure_ = std::make_exception_ptr(Error(
        ErrorCode::kUnavailable,
        fmt::format("[sim] device \"{}\" went away in launch {:.0f}, as its profile says (lose_at_launch)",
                    profile_.name, number)));
  } else if (number == profile_.fail_at_launch) {
    failure_ = std::make_exception_ptr(Error(
        ErrorCode::kUnavailable,
        fmt::format("[sim] device \"{}\" failed in launch {:.0f}, as its profile says (fail_at_launch); "
                    "its buffers hold the values from before the launch",
                    profile_.name, number)));
  }
  return failure_;
}

runtime::Event Device::done_at(SimulatedTime time) {
  return runtime::Event(std::make_shared<Done>(*this, time));
}

runtime::Event Device::fail_at(SimulatedTime time, const std::exception_ptr& failure) {
  return runtime::Event(std::make_shared<Failed>(*this, time, failure));
}

void Device::mark_known(const std::exception_ptr& failure) {
  const std::lock_guard lock(failure_mutex_);
  if (failure_ == failure) failure_ = nullptr;
}

}  // namespace cornu::inline v0::backends::sim
