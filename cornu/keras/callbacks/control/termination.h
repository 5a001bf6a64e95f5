#pragma once

namespace cornu::inline v0::keras::callbacks {

/// While it lives, SIGTERM sets a request instead of ending the process; a second SIGTERM ends it. It has an
/// effect only if the program has not set a handler of its own, and for one scope at a time.
/// Threads: safe.
class TerminationScope {
 public:
  TerminationScope();
  ~TerminationScope();
  TerminationScope(const TerminationScope&) = delete;
  TerminationScope& operator=(const TerminationScope&) = delete;

  /// True if SIGTERM was received.
  bool is_requested() const;

 private:
  bool installed_ = false;
};

}  // namespace cornu::inline v0::keras::callbacks
