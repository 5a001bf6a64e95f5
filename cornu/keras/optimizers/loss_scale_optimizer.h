#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/optimizers/optimizer.h"

namespace cornu::inline v0::keras::optimizers {

struct LossScaleOptimizerOptions {  // options/optimizers.toml
  /// Optimizer that updates the variables, by gradients without the scale; required.
  OptimizerSpec inner_optimizer = {};
  /// First factor of the loss, positive; choose it large, since a scale that is too high is halved in the
  /// next step and one that is too low grows slowly.
  double initial_scale = 32768;
  /// Number of steps in a row with finite gradients after which the scale doubles; at least 1.
  std::int64_t dynamic_growth_steps = 2000;
  /// Name in messages and files; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
};
CORNU_FIELDS(LossScaleOptimizerOptions, inner_optimizer, initial_scale, dynamic_growth_steps, name)

/// Multiplies the loss by a scale, so that small gradients do not vanish in float16, and divides the
/// gradients by it. A step whose gradients are not finite is skipped and halves the scale, inside the
/// program.
///
///     optimizers::LossScaleOptimizer optimizer(
///         {.inner_optimizer = optimizers::Adam({.learning_rate = 1e-3})});
///
/// compile() wraps the optimizer of a model of the policy "mixed_float16" in a LossScaleOptimizer. Learning
/// rate and iterations are the inner optimizer's; iterations do not count skipped steps. The inner
/// optimizer's loss_scale_factor is dropped, as in Keras.
/// Errors: InvalidArgument if inner_optimizer is missing, initial_scale is not positive and finite, or
///         dynamic_growth_steps is below 1.
class LossScaleOptimizer : public OptimizerHandle {
 public:
  explicit LossScaleOptimizer(LossScaleOptimizerOptions options);
};

}  // namespace cornu::inline v0::keras::optimizers
