#include "cornu/keras/optimizers/optimizers.h"

#include "cornu/keras/optimizers/base_options.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::optimizers {
namespace {

class RMSpropOptimizer : public OptimizerWithOptions<RMSpropOptions> {
 public:
  explicit RMSpropOptimizer(const RMSpropOptions& options) : OptimizerWithOptions("RMSprop", options) {
    check_decay("rmsprop", "rho", options.rho);
    check_not_negative("rmsprop", "epsilon", options.epsilon);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    std::vector<SlotGroup> groups = {{.names = {"velocity"}}};
    if (options_.momentum > 0) groups.push_back({.names = {"momentum"}});
    if (options_.centered) groups.push_back({.names = {"average_gradient"}});
    return groups;
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const double rho = options_.rho;
    const Variable& velocity = slot("velocity", index);
    const Tensor new_velocity = velocity * rho + ops::square(gradient) * (1 - rho);
    velocity.assign(new_velocity);
    Tensor denominator = new_velocity;
    if (options_.centered) {
      const Variable& average = slot("average_gradient", index);
      const Tensor new_average = average * rho + gradient * (1 - rho);
      average.assign(new_average);
      denominator = new_velocity - ops::square(new_average);
    }
    Tensor increment = gradient * learning_rate / ops::sqrt(denominator + options_.epsilon);
    if (options_.momentum > 0) {
      const Variable& momentum = slot("momentum", index);
      increment = momentum * options_.momentum + increment;
      momentum.assign(increment);
    }
    variable.assign(variable - increment);
  }
};

class AdagradOptimizer : public OptimizerWithOptions<AdagradOptions> {
 public:
  explicit AdagradOptimizer(const AdagradOptions& options) : OptimizerWithOptions("Adagrad", options) {
    check_not_negative("adagrad", "initial_accumulator_value", options.initial_accumulator_value);
    check_not_negative("adagrad", "epsilon", options.epsilon);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    return {{.names = {"accumulator"}, .initial_values = {options_.initial_accumulator_value}}};
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Variable& accumulator = slot("accumulator", index);
    const Tensor sum = accumulator + ops::square(gradient);
    accumulator.assign(sum);
    variable.assign(variable - learning_rate * gradient / ops::sqrt(sum + options_.epsilon));
  }
};

class AdadeltaOptimizer : public OptimizerWithOptions<AdadeltaOptions> {
 public:
  explicit AdadeltaOptimizer(const AdadeltaOptions& options) : OptimizerWithOptions("Adadelta", options) {
    check_decay("adadelta", "rho", options.rho);
    check_not_negative("adadelta", "epsilon", options.epsilon);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    return {{.names = {"accumulated_grad", "accumulated_delta_var"}}};
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Variable& gradients = slot("accumulated_grad", index);
    const Variable& steps = slot("accumulated_delta_var", index);
    const auto average = [&](const Tensor& before, const Tensor& x) {
      return before * options_.rho + ops::square(x) * (1 - options_.rho);
    };
    const auto root_mean_square = [&](const Tensor& x) { return ops::sqrt(x + options_.epsilon); };
    const Tensor new_gradients = average(gradients, gradient);
    const Tensor step = -(root_mean_square(steps) * gradient / root_mean_square(new_gradients));
    gradients.assign(new_gradients);
    steps.assign(average(steps, step));
    variable.assign(variable + learning_rate * step);
  }
};

class FtrlOptimizer : public OptimizerWithOptions<FtrlOptions> {
 public:
  explicit FtrlOptimizer(const FtrlOptions& options) : OptimizerWithOptions("Ftrl", options) {
    if (!(options.learning_rate_power <= 0))
      invalid_argument({.argument = "learning_rate_power"},
                       "[ftrl] learning_rate_power must not be positive; got learning_rate_power = {}",
                       options.learning_rate_power);
    check_not_negative("ftrl", "initial_accumulator_value", options.initial_accumulator_value);
    check_not_negative("ftrl", "l1_regularization_strength", options.l1_regularization_strength);
    check_not_negative("ftrl", "l2_regularization_strength", options.l2_regularization_strength);
    check_not_negative("ftrl", "l2_shrinkage_regularization_strength",
                       options.l2_shrinkage_regularization_strength);
    check_not_negative("ftrl", "beta", options.beta);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    return {{.names = {"accumulator", "linear"}, .initial_values = {options_.initial_accumulator_value}}};
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Variable& accumulator = slot("accumulator", index);
    const Variable& linear = slot("linear", index);
    const Tensor value = variable.value();
    const Tensor sum = accumulator.value();
    const Tensor new_sum = sum + ops::square(gradient);
    const auto powered = [&](const Tensor& x) {
      return options_.learning_rate_power == -0.5 ? ops::sqrt(x)
                                                  : ops::power(x, -options_.learning_rate_power);
    };
    const Tensor shrunk = gradient + value * (2 * options_.l2_shrinkage_regularization_strength);
    const Tensor new_linear = linear + (shrunk - (powered(new_sum) - powered(sum)) / learning_rate * value);
    const Tensor l2 = options_.beta / (learning_rate * 2.0) + options_.l2_regularization_strength;
    const Tensor quadratic = powered(new_sum) / learning_rate + l2 * 2.0;
    const double l1 = options_.l1_regularization_strength;
    linear.assign(new_linear);
    variable.assign((ops::clip(new_linear, -l1, l1) - new_linear) / quadratic);
    accumulator.assign(new_sum);
  }
};

}  // namespace

RMSprop::RMSprop(RMSpropOptions options) : OptimizerHandle(std::make_shared<RMSpropOptimizer>(options)) {}
Adagrad::Adagrad(AdagradOptions options) : OptimizerHandle(std::make_shared<AdagradOptimizer>(options)) {}
Adadelta::Adadelta(AdadeltaOptions options) : OptimizerHandle(std::make_shared<AdadeltaOptimizer>(options)) {}
Ftrl::Ftrl(FtrlOptions options) : OptimizerHandle(std::make_shared<FtrlOptimizer>(options)) {}

}  // namespace cornu::inline v0::keras::optimizers
