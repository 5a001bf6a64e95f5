#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "cornu/keras/base/state.h"

namespace cornu::inline v0::keras {

/// The number of steps in one execution: fixed, or tuned to the measured time ("auto").
///
/// Semantics: "auto" begins with 1, grows while an execution takes less than 200 ms, aiming at 500 ms, and
///            shrinks if one takes more than a second. Where growth would stop, it also tries half the
///            number, and goes down as long as that is faster. It settles on the fastest number seen as soon
///            as the next one is slower by more than 2 % (noise). If another number needs another program, it
///            is tried only if the remaining steps may pay for compiling it.
/// Threads:   one thread.
class ExecutionTuner {
 public:
  /// The first number of "auto" on a device of another process.
  static constexpr std::int64_t kFirstStepsFarAway = 8;

  /// `fixed_steps` of 0 means "auto".
  explicit ExecutionTuner(std::int64_t fixed_steps)
      : fixed_steps_(fixed_steps), steps_(fixed_steps > 0 ? fixed_steps : 1) {}

  bool is_auto() const { return fixed_steps_ == 0; }
  /// True once "auto" has found its number.
  bool is_settled() const { return settled_; }

  /// The number of steps of the next execution.
  std::int64_t steps() const { return steps_; }

  /// Makes "auto" begin with this number, if it has not run yet. For devices on which a call costs more than
  /// its steps and compiling each size of program takes seconds.
  void begin_with(std::int64_t steps);

  /// Ends the search of "auto" with this number, or with the limit if that is smaller.
  void settle_at(std::int64_t steps);
  /// True if compiling another program takes less than it saves, `seconds_per_step` in each remaining step.
  bool pays(double seconds_per_step) const { return compile_seconds_ <= steps_left_ * seconds_per_step; }

  /// Limits "auto" to this number: the steps of an epoch, or the number that a callback needs. If the
  /// previous limit stopped its growth and this one is higher, growth continues.
  void set_limit(std::int64_t limit);

  /// Records the time that the run waited for a program of another number of steps. The longest time counts:
  /// a program from the cache takes almost no time and does not predict the next one.
  void note_compile_seconds(double seconds) { compile_seconds_ = std::max(compile_seconds_, seconds); }
  /// Resets the recorded time: other numbers of steps use the same program, as at first, and cost nothing to
  /// try.
  void forget_compile_seconds() { compile_seconds_ = 0; }
  /// Sets the number of steps that the run still has after the execution that is recorded next.
  void set_steps_left(double steps) { steps_left_ = steps; }

  /// The number of steps as a state entry under `path`. Loading does not change a fixed number; bits do not
  /// depend on it.
  StateEntry state(std::string path);

  /// Records the duration of an execution of `steps` steps. Has no effect for a fixed number, and for
  /// remainders shorter than steps().
  void record(std::int64_t steps, double seconds);

 private:
  struct Measurement {
    int count = 0;
    double seconds_per_step = 0;  // the minimum
  };
  void move_to(std::int64_t steps);
  void settle();

  std::int64_t fixed_steps_;
  std::int64_t steps_;
  std::int64_t limit_ = std::int64_t{1} << 40;
  bool settled_ = false;
  bool shrinking_ = false;  // growth has ended, and smaller numbers are tried
  bool is_held_ = false;    // the limit stopped its growth
  int executions_ = 0;
  double compile_seconds_ = 0;
  double steps_left_ = std::numeric_limits<double>::infinity();
  std::map<std::int64_t, Measurement> measured_;
};

}  // namespace cornu::inline v0::keras
