#pragma once

#include <atomic>
#include <span>

namespace cornu::inline v0::keras {

/// While it lives, Ctrl-C (SIGINT) asks the run to end with the step that runs, or with the compiler's job,
/// instead of ending the process. A second one ends the process.
///
/// Only where the program has not set a handler of its own, and for one run at a time: other runs, and runs
/// inside this one, are left as they are.
/// Threads: safe.
class InterruptScope {
 public:
  static constexpr std::size_t kMaxFlags = 4;

  /// Ctrl-C sets all flags, in this order; kMaxFlags at most.
  explicit InterruptScope(std::span<std::atomic<bool>* const> flags);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  bool installed_ = false;
};

}  // namespace cornu::inline v0::keras
