#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/step_programs.h"
#include "cornu/keras/trainer/step_runner.h"

namespace cornu::inline v0::keras {

/// The executions of a run, each of as many steps as the run's tuner says, and what "auto" learns from them.
/// fit, evaluate and predict call the same for each one, in the order of the methods here.
/// Lifetime: that of all it refers to.
class TunedExecutions {
 public:
  /// `step` runs full batches; `max_steps` are the most steps of one execution.
  TunedExecutions(ExecutionTuner& tuner, const StepRunner& step, std::int64_t max_steps);

  /// The number of steps of the next one.
  std::int64_t num_steps() const;
  /// Waits until `batches` can run by `step`; returns the seconds that compiling took.
  double make_ready(StepPrograms& programs, StepRunner& step, const Batches& batches);
  /// Its steps begin. They are timed for "auto", and where `is_timed` asks for it.
  void begin(bool is_timed = false);
  /// They have ended, `done` of them; returns their seconds, 0 where they were not timed. `steps_left`: how
  /// many the run has after them, infinity where nobody knows.
  double end(std::int64_t done, double steps_left);

 private:
  ExecutionTuner& tuner_;
  const StepRunner& step_;
  bool is_timed_ = false;
  double start_ = 0;
};

/// How many steps a run over `source` has; infinity where nobody knows. `num_steps`: what the run itself says.
inline double steps_of_run_over(const BatchSource& source, std::optional<std::int64_t> num_steps) {
  if (!num_steps.has_value()) num_steps = source.num_steps();
  return num_steps.has_value() ? static_cast<double>(*num_steps) : std::numeric_limits<double>::infinity();
}

}  // namespace cornu::inline v0::keras
