#pragma once

#include <cmath>

#include "cornu/base/check.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/optimizers/optimizer.h"

/// For the sources of this folder only.
namespace cornu::inline v0::keras::optimizers {

template <typename Options>
bool updates_touched_rows_only(const Options& options) {
  if constexpr (requires { options.lazy_rows; }) return options.lazy_rows;
  return false;
}

template <typename Options>
OptimizerBaseOptions base_options(const Options& options) {
  return {.learning_rate = options.learning_rate,
          .weight_decay = options.weight_decay,
          .clipnorm = options.clipnorm,
          .clipvalue = options.clipvalue,
          .global_clipnorm = options.global_clipnorm,
          .use_ema = options.use_ema,
          .ema_momentum = options.ema_momentum,
          .ema_overwrite_frequency = options.ema_overwrite_frequency,
          .loss_scale_factor = options.loss_scale_factor,
          .gradient_accumulation_steps = options.gradient_accumulation_steps,
          .lazy_rows = updates_touched_rows_only(options),
          .name = options.name,
          .described = saving::describe(options)};
}

/// An optimizer that keeps its options.
template <typename Options>
class OptimizerWithOptions : public Optimizer {
 protected:
  OptimizerWithOptions(const char* class_name, const Options& options)
      : Optimizer(class_name, base_options(options)), options_(options) {}

  Options options_;
};

inline void check_decay(const char* caller, const char* name, double value) {
  if (!(value >= 0 && value < 1))
    invalid_argument({.argument = name}, "[{}] {} must be in [0, 1); got {} = {}", caller, name, name, value);
}

inline void check_not_negative(const char* caller, const char* name, double value) {
  if (!(value >= 0 && std::isfinite(value)))
    invalid_argument({.argument = name}, "[{}] {} must be finite and not negative; got {} = {}", caller, name,
                     name, value);
}

}  // namespace cornu::inline v0::keras::optimizers
