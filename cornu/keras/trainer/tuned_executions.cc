#include "cornu/keras/trainer/tuned_executions.h"

#include <algorithm>

#include "cornu/keras/trainer/process_run.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::keras {

TunedExecutions::TunedExecutions(ExecutionTuner& tuner, const StepRunner& step, std::int64_t max_steps)
    : tuner_(tuner), step_(step) {
  tuner_.set_limit(max_steps);
  runtime::Client& client = *step_.key().placement.client();
  if (client.distant() != nullptr) tuner_.begin_with(ExecutionTuner::kFirstStepsFarAway);
  // On a device that the host addresses, one program serves any number of steps.
  if (client.is_addressable()) tuner_.forget_compile_seconds();
}

std::int64_t TunedExecutions::num_steps() const { return steps_of_execution(step_, tuner_); }

double TunedExecutions::make_ready(StepCache& programs, StepRunner& step, const Batches& batches) {
  const double waited = programs.make_ready(step, batches);
  if (!step.key().placement.client()->is_addressable()) tuner_.note_compile_seconds(waited);
  return waited;
}

void TunedExecutions::begin(bool is_timed) {
  is_timed_ = is_timed || times_executions(tuner_, step_);
  start_ = is_timed_ ? step_.now_of_steps() : 0;
}

std::int64_t TunedExecutions::steps_ahead() const {
  std::int64_t steps = tuner_.steps();
  if (!tuner_.pays(kCallSeconds / static_cast<double>(steps))) return steps;
  while (step_.is_short(2 * steps * kMostCallsAhead)) steps *= 2;
  return steps;
}

bool times_executions(const ExecutionTuner& tuner, const StepRunner& step) {
  if (!tuner.is_auto()) return false;
  return !tuner.is_settled() || step.key().placement.client()->distant() == nullptr;
}

double TunedExecutions::end(std::int64_t done, double steps_left) {
  const double seconds = is_timed_ ? step_.now_of_steps() - start_ : 0;
  tuner_.set_steps_left(std::max(0.0, steps_left));
  if (tuner_.is_auto() && !tuner_.is_settled() && step_.is_short(1))
    tuner_.settle_at(steps_ahead());
  else
    tuner_.record(done, seconds);
  return seconds;
}

}  // namespace cornu::inline v0::keras
