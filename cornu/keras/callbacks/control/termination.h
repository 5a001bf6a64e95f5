#pragma once

namespace cornu::inline v0::keras::callbacks {

/// While it lives, SIGTERM asks instead of ending the process; a second one ends it. Only where the program
/// has not set a handler of its own, and for one at a time.
/// Threads: safe.
class TerminationScope {
 public:
  TerminationScope();
  ~TerminationScope();
  TerminationScope(const TerminationScope&) = delete;
  TerminationScope& operator=(const TerminationScope&) = delete;

  /// Whether SIGTERM has come.
  bool is_requested() const;

 private:
  bool installed_ = false;
};

}  // namespace cornu::inline v0::keras::callbacks
