#pragma once

#include <csignal>

#include "cornu/keras/callbacks/callback.h"

namespace cornu::inline v0::cli {

/// Ctrl-C (SIGINT) and SIGTERM while a program trains and then saves: the first of them ends the run with the
/// running step, so that fit throws kCancelled; the second ends the process. One that comes after the
/// run and before the end of this object ends the process only then, so that what was trained is saved.
/// Signals that the process ignored stay ignored.
/// Threads: the main thread; one object at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that ended the run; 0: none has.
  static int signal();
  /// True once the run has begun its first epoch.
  bool has_begun() const { return has_begun_; }
  /// For fit, after all other callbacks. Lifetime: this object's.
  keras::callbacks::CallbackEntry watch();

 private:
  class Watch;

  void catch_signals();
  /// Lets signals wait until this object ends.
  static void hold_signals();

  struct sigaction interrupt_before_ = {}, terminate_before_ = {};
  sigset_t mask_before_ = {};
  bool has_begun_ = false;
};

}  // namespace cornu::inline v0::cli
