#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/step_cache.h"
#include "cornu/keras/trainer/step_runner.h"

namespace cornu::inline v0::keras {

/// The executions of a run, each with the tuner's number of steps, and the measurements from which "auto"
/// learns. fit, evaluate and predict call the methods for each execution in the order in which they are
/// declared.
/// Lifetime: all that it refers to must outlive it.
///
/// "auto" does not search where executions are submitted ahead to a device of another process: the steps before a
/// call hide its latency there, so that only the host's cost of a call counts (kCallSeconds).
class TunedExecutions {
 public:
  /// The calls that may take AsyncExecutable::kMostSeconds on the device together: a call costs the host and
  /// the worker about kCallSeconds, a twentieth of its steps.
  static constexpr std::int64_t kMostCallsAhead = 50;
  static constexpr double kCallSeconds = 1e-4;

  /// `step` runs full batches; `max_steps` is the most steps of one execution.
  TunedExecutions(ExecutionTuner& tuner, const StepRunner& step, std::int64_t max_steps);

  /// The number of steps of the next execution.
  std::int64_t num_steps() const;
  /// Waits until `step` can run `batches`; returns the seconds spent compiling.
  double make_ready(StepCache& programs, StepRunner& step, const Batches& batches);
  /// Called when the steps begin. They are timed for "auto", and if `is_timed` is true.
  void begin(bool is_timed = false);
  /// True if the execution that has begun is timed.
  bool is_timed() const { return is_timed_; }
  /// Called when the steps have ended, `done` of them; returns their seconds, 0 if they were not timed.
  /// `steps_left`: the number of steps that the run still has, infinity if it is not known.
  double end(std::int64_t done, double steps_left);

 private:
  /// The number of steps for executions that are submitted ahead.
  std::int64_t steps_ahead() const;

  ExecutionTuner& tuner_;
  const StepRunner& step_;
  bool is_timed_ = false;
  double start_ = 0;
};

/// True if executions are timed for "auto". A device of another process is waited for in an execution that is
/// timed, so timing ends there with the search for the number.
bool times_executions(const ExecutionTuner& tuner, const StepRunner& step);

/// The number of steps of a run over `source`; infinity if it is not known. `num_steps`: the number that the
/// run's options give.
inline double steps_of_run_over(const BatchSource& source, std::optional<std::int64_t> num_steps) {
  if (!num_steps.has_value()) num_steps = source.num_steps();
  return num_steps.has_value() ? static_cast<double>(*num_steps) : std::numeric_limits<double>::infinity();
}

}  // namespace cornu::inline v0::keras
