#include "cornu/keras/trainer/shaped_step.h"

#include <utility>

namespace cornu::inline v0::keras {

StepRunner& ShapedStep::step_for(const Batches& batches) {
  if (is_for(*current_, batches)) return *current_;
  current_ = is_for(*first_, batches) ? first_ : make_(batches);
  current_->bind();
  return *current_;
}

void ShapedStep::hold_values() {
  release_holder();
  first_->hold_values();
  ++num_held_;
}

void ShapedStep::release_values() {
  release_holder();
  first_->release_values();
  --num_held_;
}

void ShapedStep::release_holder() {
  if (const std::shared_ptr<StepRunner> step = std::exchange(holder_, nullptr)) step->release_values();
}

void ShapedStep::hold(const std::shared_ptr<StepRunner>& step) {
  if (num_held_ == 0 || step == holder_) return;
  release_holder();
  if (step == first_) return;
  step->hold_as(*first_);
  holder_ = step;
}

StepRunner& ShapedStep::begin(const Batches& batches) {
  StepRunner& step = step_for(batches);
  hold(current_);
  if (ran_ != current_) ran_ = current_;
  return step;
}

void ShapedStep::forget_faults() {
  for (const std::shared_ptr<StepRunner>& step : {first_, current_, ran_}) step->forget_faults();
}

}  // namespace cornu::inline v0::keras
