#include "cornu/keras/optimizers/schedules/schedules.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/optimizers/schedules/rate_dtype_support.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"

namespace cornu::inline v0::keras {
namespace {

class FunctionSchedule : public LearningRateSchedule {
 public:
  explicit FunctionSchedule(std::function<Tensor(const Tensor&)> function) : function_(std::move(function)) {}
  Tensor operator()(const Tensor& step) const override { return function_(step); }

 private:
  std::function<Tensor(const Tensor&)> function_;
};

void check_steps(const std::string& schedule, const char* argument, std::int64_t steps) {
  if (steps <= 0)
    invalid_argument({.argument = argument}, "[{}] {} must be positive; got {} = {}", schedule, argument,
                     argument, steps);
}

void check_rate(const std::string& schedule, const char* argument, double rate) {
  if (!std::isfinite(rate) || rate < 0)
    invalid_argument({.argument = argument}, "[{}] {} must be finite and not negative; got {} = {}", schedule,
                     argument, argument, rate);
}

Tensor cosine_of(const Tensor& x) {
  return detail::run_op(detail::OpKey("cosine"), std::span(&x, 1),
                        [](ir::Builder& b, std::span<const ir::Value> v) { return ops::cosine(b, v[0]); });
}

Tensor as_float(const Tensor& step) { return ops::cast(step, rate_dtype()); }
Tensor strong(double value) { return Tensor(ir::Literal::scalar(rate_dtype(), value)); }

/// step / steps, rounded down for a staircase.
Tensor periods(const Tensor& step, std::int64_t steps, bool staircase) {
  const Tensor quotient = as_float(step) / static_cast<double>(steps);
  return staircase ? ops::floor(quotient) : quotient;
}

/// Falls from 1 at fraction 0 to alpha at fraction 1.
Tensor half_wave(const Tensor& fraction, double alpha) {
  return (cosine_of(fraction * std::numbers::pi) + 1.0) * 0.5 * (1 - alpha) + alpha;
}

LearningRateScheduleHandle schedule_of(std::function<Tensor(const Tensor&)> function) {
  return std::shared_ptr<LearningRateSchedule>(std::make_shared<FunctionSchedule>(std::move(function)));
}

}  // namespace

Config LearningRateSchedule::get_config() const {
  return described_config("keras.optimizers.schedules", "learning rate schedule", "function");
}

std::shared_ptr<LearningRateSchedule> LearningRate::from_function(
    std::function<Tensor(const Tensor&)> function) {
  check_callable("optimizer", "learning_rate", function);
  return schedule_of(std::move(function)).shared();
}

namespace optimizers::schedules {
namespace {

LearningRateScheduleHandle exponential_decay(const ExponentialDecayOptions& options) {
  check_rate(options.name, "initial_learning_rate", options.initial_learning_rate);
  check_steps(options.name, "decay_steps", options.decay_steps);
  check_rate(options.name, "decay_rate", options.decay_rate);
  return schedule_of([options](const Tensor& step) {
    return ops::power(strong(options.decay_rate), periods(step, options.decay_steps, options.staircase)) *
           options.initial_learning_rate;
  });
}

LearningRateScheduleHandle piecewise_constant_decay(const PiecewiseConstantDecayOptions& options) {
  if (options.values.size() != options.boundaries.size() + 1)
    invalid_argument("[{}] needs one value more than boundaries; got {} boundaries and {} values",
                     options.name, options.boundaries.size(), options.values.size());
  for (std::size_t i = 1; i < options.boundaries.size(); ++i)
    if (options.boundaries[i] <= options.boundaries[i - 1])
      invalid_argument({.argument = "boundaries"}, "[{}] boundaries must rise; got boundaries = [{}]",
                       options.name, fmt::join(options.boundaries, ", "));
  for (const double value : options.values) check_rate(options.name, "values", value);
  return schedule_of([options](const Tensor& step) {
    Tensor rate = strong(options.values.back());
    for (std::size_t i = options.boundaries.size(); i-- > 0;)
      rate = ops::where(ops::less_equal(step, options.boundaries[i]), strong(options.values[i]), rate);
    return rate;
  });
}

LearningRateScheduleHandle polynomial_decay(const PolynomialDecayOptions& options) {
  check_rate(options.name, "initial_learning_rate", options.initial_learning_rate);
  check_steps(options.name, "decay_steps", options.decay_steps);
  check_rate(options.name, "end_learning_rate", options.end_learning_rate);
  check_rate(options.name, "power", options.power);
  return schedule_of([options](const Tensor& step) {
    const auto first_steps = static_cast<double>(options.decay_steps);
    Tensor done = as_float(step);
    Tensor steps = strong(first_steps);
    if (options.cycle) {
      steps = ops::where(ops::equal(done, 0), 1.0, ops::ceil(done / first_steps)) * first_steps;
    } else {
      done = ops::minimum(done, first_steps);
    }
    const Tensor left = ops::power(1 - done / steps, options.power);
    return left * (options.initial_learning_rate - options.end_learning_rate) + options.end_learning_rate;
  });
}

LearningRateScheduleHandle inverse_time_decay(const InverseTimeDecayOptions& options) {
  check_rate(options.name, "initial_learning_rate", options.initial_learning_rate);
  check_steps(options.name, "decay_steps", options.decay_steps);
  check_rate(options.name, "decay_rate", options.decay_rate);
  return schedule_of([options](const Tensor& step) {
    return strong(options.initial_learning_rate) /
           (periods(step, options.decay_steps, options.staircase) * options.decay_rate + 1.0);
  });
}

LearningRateScheduleHandle cosine_decay(const CosineDecayOptions& options) {
  check_rate(options.name, "initial_learning_rate", options.initial_learning_rate);
  check_steps(options.name, "decay_steps", options.decay_steps);
  check_rate(options.name, "alpha", options.alpha);
  if (options.warmup_target) check_rate(options.name, "warmup_target", *options.warmup_target);
  if (options.warmup_steps < 0)
    invalid_argument({.argument = "warmup_steps"},
                     "[{}] warmup_steps must not be negative; got warmup_steps = {}", options.name,
                     options.warmup_steps);
  return schedule_of([options](const Tensor& step) {
    const auto decay_steps = static_cast<double>(options.decay_steps);
    const auto warmup_steps = static_cast<double>(options.warmup_target ? options.warmup_steps : 0);
    const double top = options.warmup_target.value_or(options.initial_learning_rate);
    const Tensor done = ops::minimum(as_float(step), decay_steps + warmup_steps);
    Tensor decayed = half_wave((done - warmup_steps) / decay_steps, options.alpha) * top;
    if (warmup_steps == 0) return decayed;
    const Tensor warmed =
        done / warmup_steps * (top - options.initial_learning_rate) + options.initial_learning_rate;
    return ops::where(ops::less(done, warmup_steps), warmed, decayed);
  });
}

LearningRateScheduleHandle cosine_decay_restarts(const CosineDecayRestartsOptions& options) {
  check_rate(options.name, "initial_learning_rate", options.initial_learning_rate);
  check_steps(options.name, "first_decay_steps", options.first_decay_steps);
  check_rate(options.name, "m_mul", options.m_mul);
  check_rate(options.name, "alpha", options.alpha);
  if (!(options.t_mul > 0) || !std::isfinite(options.t_mul))
    invalid_argument({.argument = "t_mul"}, "[{}] t_mul must be positive; got t_mul = {}", options.name,
                     options.t_mul);
  return schedule_of([options](const Tensor& step) {
    const Tensor done = periods(step, options.first_decay_steps, false);
    Tensor restarts;
    Tensor fraction;
    if (options.t_mul == 1) {
      restarts = ops::floor(done);
      fraction = done - restarts;
    } else {
      // n periods last (1 - t_mul^n) / (1 - t_mul) first periods.
      const double t_mul = options.t_mul;
      restarts = ops::floor(ops::log(1 - done * (1 - t_mul)) / strong(std::log(t_mul)));
      const Tensor length = ops::power(strong(t_mul), restarts);
      fraction = (done - (1 - length) / (1 - t_mul)) / length;
    }
    const Tensor height =
        ops::power(strong(options.m_mul), restarts) * 0.5 * (cosine_of(fraction * std::numbers::pi) + 1.0);
    return (height * (1 - options.alpha) + options.alpha) * options.initial_learning_rate;
  });
}

}  // namespace

ExponentialDecay::ExponentialDecay(ExponentialDecayOptions options)
    : LearningRateScheduleHandle(exponential_decay(options)) {
  saving::describe(*this, "ExponentialDecay", options);
}
PiecewiseConstantDecay::PiecewiseConstantDecay(PiecewiseConstantDecayOptions options)
    : LearningRateScheduleHandle(piecewise_constant_decay(options)) {
  saving::describe(*this, "PiecewiseConstantDecay", options);
}
PolynomialDecay::PolynomialDecay(PolynomialDecayOptions options)
    : LearningRateScheduleHandle(polynomial_decay(options)) {
  saving::describe(*this, "PolynomialDecay", options);
}
InverseTimeDecay::InverseTimeDecay(InverseTimeDecayOptions options)
    : LearningRateScheduleHandle(inverse_time_decay(options)) {
  saving::describe(*this, "InverseTimeDecay", options);
}
CosineDecay::CosineDecay(CosineDecayOptions options) : LearningRateScheduleHandle(cosine_decay(options)) {
  saving::describe(*this, "CosineDecay", options);
}
CosineDecayRestarts::CosineDecayRestarts(CosineDecayRestartsOptions options)
    : LearningRateScheduleHandle(cosine_decay_restarts(options)) {
  saving::describe(*this, "CosineDecayRestarts", options);
}

}  // namespace optimizers::schedules
}  // namespace cornu::inline v0::keras
