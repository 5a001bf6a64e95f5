#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/optimizers/schedules/learning_rate_schedule.h"

/// Keras's learning rate schedules, in f32. `name` stands in error messages. Errors of all: InvalidArgument
/// unless every number of steps is positive and rates and factors are finite and not negative.
namespace cornu::inline v0::keras::optimizers::schedules {

struct ExponentialDecayOptions {
  double initial_learning_rate = 0;
  std::int64_t decay_steps = 0;
  double decay_rate = 0;
  bool staircase = false;
  std::string name = "ExponentialDecay";
};
CORNU_FIELDS(ExponentialDecayOptions, initial_learning_rate, decay_steps, decay_rate, staircase, name)
/// initial_learning_rate * decay_rate^(step / decay_steps); `staircase` rounds the exponent down.
class ExponentialDecay : public LearningRateScheduleHandle {
 public:
  explicit ExponentialDecay(ExponentialDecayOptions options);
};

struct PiecewiseConstantDecayOptions {
  std::vector<std::int64_t> boundaries;
  std::vector<double> values;
  std::string name = "PiecewiseConstant";
};
CORNU_FIELDS(PiecewiseConstantDecayOptions, boundaries, values, name)
/// values[i] up to and including step boundaries[i], then the next one.
/// Errors: InvalidArgument unless the boundaries rise and there is one value more than boundaries.
class PiecewiseConstantDecay : public LearningRateScheduleHandle {
 public:
  explicit PiecewiseConstantDecay(PiecewiseConstantDecayOptions options);
};

struct PolynomialDecayOptions {
  double initial_learning_rate = 0;
  std::int64_t decay_steps = 0;
  double end_learning_rate = 0.0001;
  double power = 1.0;
  bool cycle = false;  // starts again, ever longer, behind decay_steps
  std::string name = "PolynomialDecay";
};
CORNU_FIELDS(PolynomialDecayOptions, initial_learning_rate, decay_steps, end_learning_rate, power, cycle,
             name)
/// (initial - end) * (1 - step / decay_steps)^power + end.
class PolynomialDecay : public LearningRateScheduleHandle {
 public:
  explicit PolynomialDecay(PolynomialDecayOptions options);
};

struct InverseTimeDecayOptions {
  double initial_learning_rate = 0;
  std::int64_t decay_steps = 0;
  double decay_rate = 0;
  bool staircase = false;
  std::string name = "InverseTimeDecay";
};
CORNU_FIELDS(InverseTimeDecayOptions, initial_learning_rate, decay_steps, decay_rate, staircase, name)
/// initial_learning_rate / (1 + decay_rate * step / decay_steps); `staircase` rounds the quotient down.
class InverseTimeDecay : public LearningRateScheduleHandle {
 public:
  explicit InverseTimeDecay(InverseTimeDecayOptions options);
};

struct CosineDecayOptions {
  double initial_learning_rate = 0;
  std::int64_t decay_steps = 0;
  double alpha = 0.0;  // the part of the rate that is left at the end
  std::string name = "CosineDecay";
  std::optional<double> warmup_target = {};
  std::int64_t warmup_steps = 0;
};
CORNU_FIELDS(CosineDecayOptions, initial_learning_rate, decay_steps, alpha, name, warmup_target, warmup_steps)
/// With a warmup_target linearly from initial_learning_rate to it in warmup_steps, then (else at once) half a
/// cosine wave down.
class CosineDecay : public LearningRateScheduleHandle {
 public:
  explicit CosineDecay(CosineDecayOptions options);
};

struct CosineDecayRestartsOptions {
  double initial_learning_rate = 0;
  std::int64_t first_decay_steps = 0;
  double t_mul = 2.0;  // each period's length against the one before
  double m_mul = 1.0;  // each period's first rate against the one before
  double alpha = 0.0;
  std::string name = "SGDRDecay";
};
CORNU_FIELDS(CosineDecayRestartsOptions, initial_learning_rate, first_decay_steps, t_mul, m_mul, alpha, name)
/// Half a cosine wave down, again and again.
class CosineDecayRestarts : public LearningRateScheduleHandle {
 public:
  explicit CosineDecayRestarts(CosineDecayRestartsOptions options);
};

}  // namespace cornu::inline v0::keras::optimizers::schedules
