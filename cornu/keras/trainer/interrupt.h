#pragma once

#include <atomic>
#include <span>

namespace cornu::inline v0::keras {

/// While it lives, Ctrl-C (SIGINT) ends the run after the current step or compilation instead of ending the
/// process. A second Ctrl-C ends the process.
///
/// It has an effect only if the program has not set a handler of its own, and for one run at a time:
/// concurrent and nested runs are not affected.
/// Threads: safe.
class InterruptScope {
 public:
  static constexpr std::size_t kMaxFlags = 4;

  /// Ctrl-C sets all flags, in this order; at most kMaxFlags.
  explicit InterruptScope(std::span<std::atomic<bool>* const> flags);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  bool installed_ = false;
};

}  // namespace cornu::inline v0::keras
