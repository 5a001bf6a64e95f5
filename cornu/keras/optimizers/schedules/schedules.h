#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/optimizers/schedules/learning_rate_schedule.h"

/// Keras's learning rate schedules, in f32. `name` is used in error messages. Errors of all: InvalidArgument
/// unless every number of steps is positive, and rates and factors are finite and not negative.
namespace cornu::inline v0::keras::optimizers::schedules {

struct ExponentialDecayOptions {  // options/optimizers.toml
  /// Rate at step 0; finite and not negative.
  double initial_learning_rate = 0;
  /// Number of steps of one decay; must be positive.
  std::int64_t decay_steps = 0;
  /// Factor of the rate for each decay_steps steps.
  double decay_rate = 0;
  /// True: the rate changes once every decay_steps steps; false: at each step.
  bool staircase = false;
  /// Name in messages.
  std::string name = "ExponentialDecay";
};
CORNU_FIELDS(ExponentialDecayOptions, initial_learning_rate, decay_steps, decay_rate, staircase, name)
/// initial_learning_rate * decay_rate^(step / decay_steps); `staircase` rounds the exponent down.
class ExponentialDecay : public LearningRateScheduleHandle {
 public:
  explicit ExponentialDecay(ExponentialDecayOptions options);
};

struct PiecewiseConstantDecayOptions {  // options/optimizers.toml
  /// Last steps of the values but the last one, rising.
  std::vector<std::int64_t> boundaries;
  /// Rates, one more than boundaries.
  std::vector<double> values;
  /// Name in messages.
  std::string name = "PiecewiseConstant";
};
CORNU_FIELDS(PiecewiseConstantDecayOptions, boundaries, values, name)
/// values[i] up to and including step boundaries[i], then the next value.
/// Errors: InvalidArgument unless the boundaries increase and there is one more value than boundaries.
class PiecewiseConstantDecay : public LearningRateScheduleHandle {
 public:
  explicit PiecewiseConstantDecay(PiecewiseConstantDecayOptions options);
};

struct PolynomialDecayOptions {  // options/optimizers.toml
  /// Rate at step 0; finite and not negative.
  double initial_learning_rate = 0;
  /// Number of steps of one decay; must be positive.
  std::int64_t decay_steps = 0;
  /// Rate after decay_steps.
  double end_learning_rate = 0.0001;
  /// Exponent of the polynomial; 1: linear.
  double power = 1.0;
  /// True: after decay_steps the rate rises and decays again, until the next multiple of decay_steps; false:
  /// it stays at end_learning_rate.
  bool cycle = false;
  /// Name in messages.
  std::string name = "PolynomialDecay";
};
CORNU_FIELDS(PolynomialDecayOptions, initial_learning_rate, decay_steps, end_learning_rate, power, cycle,
             name)
/// (initial - end) * (1 - step / decay_steps)^power + end.
class PolynomialDecay : public LearningRateScheduleHandle {
 public:
  explicit PolynomialDecay(PolynomialDecayOptions options);
};

struct InverseTimeDecayOptions {  // options/optimizers.toml
  /// Rate at step 0; finite and not negative.
  double initial_learning_rate = 0;
  /// Number of steps of one decay; must be positive.
  std::int64_t decay_steps = 0;
  /// Growth of the divisor for each decay_steps steps.
  double decay_rate = 0;
  /// True: the rate changes once every decay_steps steps; false: at each step.
  bool staircase = false;
  /// Name in messages.
  std::string name = "InverseTimeDecay";
};
CORNU_FIELDS(InverseTimeDecayOptions, initial_learning_rate, decay_steps, decay_rate, staircase, name)
/// initial_learning_rate / (1 + decay_rate * step / decay_steps); `staircase` rounds the quotient down.
class InverseTimeDecay : public LearningRateScheduleHandle {
 public:
  explicit InverseTimeDecay(InverseTimeDecayOptions options);
};

struct CosineDecayOptions {  // options/optimizers.toml
  /// Rate at step 0, before the warm-up; finite and not negative.
  double initial_learning_rate = 0;
  /// Number of steps of the decay after the warm-up; must be positive.
  std::int64_t decay_steps = 0;
  /// Rate at the end as a share of the rate at which the decay begins.
  double alpha = 0.0;
  /// Name in messages.
  std::string name = "CosineDecay";
  /// Rate at the end of the warm-up, from which the decay begins; unset: no warm-up.
  std::optional<double> warmup_target = {};
  /// Number of steps from initial_learning_rate to warmup_target; 0: none.
  std::int64_t warmup_steps = 0;
};
CORNU_FIELDS(CosineDecayOptions, initial_learning_rate, decay_steps, alpha, name, warmup_target, warmup_steps)
/// Half a cosine wave down; with a warmup_target, after a linear rise from initial_learning_rate to it in
/// warmup_steps.
class CosineDecay : public LearningRateScheduleHandle {
 public:
  explicit CosineDecay(CosineDecayOptions options);
};

struct CosineDecayRestartsOptions {  // options/optimizers.toml
  /// Rate at step 0; finite and not negative.
  double initial_learning_rate = 0;
  /// Number of steps of the first period; must be positive.
  std::int64_t first_decay_steps = 0;
  /// Factor of the length from each period to the next.
  double t_mul = 2.0;
  /// Factor of the first rate from each period to the next.
  double m_mul = 1.0;
  /// Smallest rate as a share of initial_learning_rate.
  double alpha = 0.0;
  /// Name in messages.
  std::string name = "SGDRDecay";
};
CORNU_FIELDS(CosineDecayRestartsOptions, initial_learning_rate, first_decay_steps, t_mul, m_mul, alpha, name)
/// Half a cosine wave down, repeated.
class CosineDecayRestarts : public LearningRateScheduleHandle {
 public:
  explicit CosineDecayRestarts(CosineDecayRestartsOptions options);
};

}  // namespace cornu::inline v0::keras::optimizers::schedules
