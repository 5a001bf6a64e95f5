#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/optimizers/optimizer.h"

namespace cornu::inline v0::keras::optimizers {

struct LossScaleOptimizerOptions {
  /// What updates the variables, by its gradients as they are without the scale.
  OptimizerSpec inner_optimizer = {};
  /// Should be large: a scale that is too high is halved in the next step, one that is too low grows slowly.
  double initial_scale = 32768;
  /// After so many steps in a row whose gradients were finite the scale doubles.
  std::int64_t dynamic_growth_steps = 2000;
  std::string name = {};
};
CORNU_FIELDS(LossScaleOptimizerOptions, inner_optimizer, initial_scale, dynamic_growth_steps, name)

/// Multiplies the loss, so that small gradients do not vanish in float16, and divides the gradients again.
/// A step whose gradients are not finite changes nothing but the scale, which it halves;
/// this happens inside the program.
///
///     optimizers::LossScaleOptimizer optimizer(
///         {.inner_optimizer = optimizers::Adam({.learning_rate = 1e-3})});
///
/// compile() puts one around the optimizer of a model of the policy "mixed_float16" by itself. Learning rate
/// and iterations are the inner optimizer's; iterations do not count skipped steps. The inner optimizer loses
/// its loss_scale_factor, as in Keras.
/// Errors: InvalidArgument when inner_optimizer is missing, initial_scale is not positive and finite, or
///         dynamic_growth_steps is below 1.
class LossScaleOptimizer : public OptimizerHandle {
 public:
  explicit LossScaleOptimizer(LossScaleOptimizerOptions options);
};

}  // namespace cornu::inline v0::keras::optimizers
