#pragma once

#include <atomic>

namespace cornu::keras {

/// While it lives, Ctrl-C (SIGINT) asks the run to end with the step that runs, instead of ending the process. A second one ends the
/// process.
///
/// Only where the program has not set a handler of its own, and for one run at a time: other runs are left as they are.
/// Threads: safe.
class InterruptScope {
 public:
  /// Ctrl-C sets both flags.
  InterruptScope(std::atomic<bool>& stop_step, std::atomic<bool>& stop_run);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  /// Throws Error(kCancelled) when Ctrl-C came.
  void check(const char* caller) const;

 private:
  bool installed_ = false;
};

}  // namespace cornu::keras
