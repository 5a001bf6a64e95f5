#include "cornu/keras/trainer/shaped_step.h"

namespace cornu::inline v0::keras {

StepRunner& ShapedStep::step_for(const Batches& batches) {
  if (is_for(*current_, batches)) return *current_;
  current_ = is_for(*first_, batches) ? first_ : make_(batches);
  current_->bind();
  return *current_;
}

std::int64_t ShapedStep::run(const Batches& batches, runtime::Progress& progress) {
  StepRunner& step = step_for(batches);
  if (ran_ != current_) ran_ = current_;
  return step.run(batches, progress);
}

void ShapedStep::forget_faults() {
  for (const std::shared_ptr<StepRunner>& step : {first_, current_, ran_}) step->forget_faults();
}

}  // namespace cornu::inline v0::keras
