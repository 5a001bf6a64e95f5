#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cornu/plugin/error.h"

namespace cornu::inline v0::plugin {

/// Completion of submitted work, or its failure. Set once.
/// Threads: safe.
class Signal {
 public:
  /// A signal of work that is done.
  static const std::shared_ptr<Signal>& done();

  bool is_ready() const { return is_ready_.load(std::memory_order_acquire); }
  /// Marks the work as done, or as failed, and runs the callbacks.
  void set(std::optional<PJRT_Error> failure = std::nullopt) noexcept;
  void wait();
  /// Null if the work succeeded. Only after it is ready.
  const PJRT_Error* failure() const { return failure_.has_value() ? &*failure_ : nullptr; }
  /// Calls `callback` once it is ready: now, or on the thread that does the work.
  void on_ready(std::function<void()> callback);

 private:
  std::atomic<bool> is_ready_{false};
  std::optional<PJRT_Error> failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::function<void()>> callbacks_;
};

/// Adds the functions of events and errors to the interface.
void add_event_functions(PJRT_Api& api);

}  // namespace cornu::inline v0::plugin

/// An event of the C interface: a reference to a signal.
struct PJRT_Event {
  std::shared_ptr<cornu::plugin::Signal> signal;
};
