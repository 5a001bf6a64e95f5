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
/// Semantics: "auto" begins with 1 and grows as long as an execution takes less than 200 ms, aiming at 500
///            ms, and shrinks when one takes more than a second. Where it would stop growing it also tries
///            half, and goes down as long as that measures faster. It settles on the fastest number seen as
///            soon as the next one measures slower (by more than 2 %, which is noise), so it never keeps one
///            that measures slower than another. Where another number is another program, it is only tried if
///            the steps that are left may pay for compiling it.
/// Threads:   one thread.
class ExecutionTuner {
 public:
  /// The number that "auto" begins with on a device of another process.
  static constexpr std::int64_t kFirstStepsFarAway = 8;

  /// `fixed_steps` of 0 means "auto".
  explicit ExecutionTuner(std::int64_t fixed_steps)
      : fixed_steps_(fixed_steps), steps_(fixed_steps > 0 ? fixed_steps : 1) {}

  bool is_auto() const { return fixed_steps_ == 0; }

  /// The number of steps of the next execution.
  std::int64_t steps() const { return steps_; }

  /// Makes "auto" begin with this number, if it has run nothing yet. That is for devices where a call costs
  /// more than its steps and each size of program is compiled for seconds.
  void begin_with(std::int64_t steps);

  /// Makes "auto" stay at or below this number: the steps of an epoch, or what a callback needs. Where the
  /// last limit kept it from a larger number and this one is higher, it goes on growing.
  void set_limit(std::int64_t limit);

  /// A program for another number was waited for this long. The longest counts: one that is there already
  /// takes next to no time, and that says nothing of the next.
  void note_compile_seconds(double seconds) { compile_seconds_ = std::max(compile_seconds_, seconds); }
  /// Another number is no other program, as at first: trying one costs nothing.
  void forget_compile_seconds() { compile_seconds_ = 0; }
  /// How many steps the run still has after the execution that is recorded next.
  void set_steps_left(double steps) { steps_left_ = steps; }

  /// The number of steps under `path`. A fixed number stays what it is when another is loaded: bits do not
  /// depend on it.
  StateEntry state(std::string path);

  /// Takes note of how long an execution of `steps` steps took. Does nothing for a fixed number, and for
  /// tails that are shorter than steps().
  void record(std::int64_t steps, double seconds);

 private:
  struct Measurement {
    int count = 0;
    double seconds_per_step = 0;  // the least
  };
  void move_to(std::int64_t steps);
  void settle();
  /// Whether compiling for another number can pay, at best: if the steps left then took no time.
  bool pays(double seconds_per_step) const { return compile_seconds_ <= steps_left_ * seconds_per_step; }

  std::int64_t fixed_steps_;
  std::int64_t steps_;
  std::int64_t limit_ = std::int64_t{1} << 40;
  bool settled_ = false;
  bool shrinking_ = false;  // growth has ended; smaller numbers are tried
  bool is_held_ = false;    // the limit keeps it from a larger number
  int executions_ = 0;
  double compile_seconds_ = 0;
  double steps_left_ = std::numeric_limits<double>::infinity();
  std::map<std::int64_t, Measurement> measured_;
};

}  // namespace cornu::inline v0::keras
