#include "cornu/keras/optimizers/optimizers.h"

#include "cornu/keras/base/names.h"
#include "cornu/keras/optimizers/base_options.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::optimizers {
namespace {

template <typename Options>
void check_adam(const char* caller, const Options& options) {
  check_decay(caller, "beta_1", options.beta_1);
  check_decay(caller, "beta_2", options.beta_2);
  check_not_negative(caller, "epsilon", options.epsilon);
}

/// True if a step's factors must be computed in the variable's narrow dtype, as in Keras, where 0.999 is 1 in
/// bfloat16. Factors for wider dtypes are float32 and computed once for all variables.
bool has_own_factors(const Variable& variable) { return ir::bit_width(variable.dtype()) < 32; }

/// An optimizer with moving averages of the gradient and of its square.
template <typename Options>
class OptimizerWithMoments : public OptimizerWithOptions<Options> {
 public:
  OptimizerWithMoments(const char* class_name, const char* caller, const Options& options)
      : OptimizerWithOptions<Options>(class_name, options) {
    check_adam(caller, options);
  }

 protected:
  std::vector<Optimizer::SlotGroup> slot_groups() const override {
    return {{.names = {"momentum", "velocity"}}};
  }

  struct Moments {
    Tensor m, v;
  };
  /// Updates the averages of variable number `index`.
  Moments update_moments(const Tensor& gradient, std::size_t index) {
    const Variable& momentum = this->slot("momentum", index);
    const Variable& velocity = this->slot("velocity", index);
    const Tensor m = momentum.value();
    const Tensor v = velocity.value();
    const Tensor new_m = m + (gradient - m) * (1 - this->options_.beta_1);
    const Tensor new_v = v + (ops::square(gradient) - v) * (1 - this->options_.beta_2);
    momentum.assign(new_m);
    velocity.assign(new_v);
    return {new_m, new_v};
  }
};

/// Adam and AdamW, which differ only in defaults.
template <typename Options>
class AdamOptimizer : public OptimizerWithMoments<Options> {
 public:
  using OptimizerWithMoments<Options>::OptimizerWithMoments;

 protected:
  using OptimizerWithMoments<Options>::options_;
  using OptimizerWithMoments<Options>::slot;

  std::vector<Optimizer::SlotGroup> slot_groups() const override {
    std::vector<Optimizer::SlotGroup> groups = OptimizerWithMoments<Options>::slot_groups();
    if (options_.amsgrad) groups.push_back({.names = {"velocity_hat"}});
    return groups;
  }

  void begin_step(const Tensor& learning_rate) override { alpha_ = alpha_of(learning_rate); }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    auto [new_m, new_v] = this->update_moments(gradient, index);
    if (options_.amsgrad) {
      const Variable& largest = slot("velocity_hat", index);
      new_v = ops::maximum(largest, new_v);
      largest.assign(new_v);
    }
    const Tensor alpha =
        has_own_factors(variable) ? alpha_of(learning_rate) : ops::cast(alpha_, variable.dtype());
    variable.assign(variable - new_m * alpha / (ops::sqrt(new_v) + options_.epsilon));
  }

 private:
  /// The bias-corrected step size.
  Tensor alpha_of(const Tensor& learning_rate) const {
    const Tensor step = ops::cast(this->iterations() + 1, learning_rate.dtype());
    const Tensor beta_1_power = ops::power(options_.beta_1, step);
    const Tensor beta_2_power = ops::power(options_.beta_2, step);
    return learning_rate * ops::sqrt(1 - beta_2_power) / (1 - beta_1_power);
  }

  Tensor alpha_;  // of the step being built
};

class AdamaxOptimizer : public OptimizerWithOptions<AdamaxOptions> {
 public:
  explicit AdamaxOptimizer(const AdamaxOptions& options) : OptimizerWithOptions("Adamax", options) {
    check_adam("adamax", options);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"momentum", "norm"}}}; }

  void begin_step(const Tensor& learning_rate) override { left_ = left_in(learning_rate.dtype()); }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Variable& momentum = slot("momentum", index);
    const Variable& norm = slot("norm", index);
    const Tensor m = momentum.value();
    const Tensor new_m = m + (gradient - m) * (1 - options_.beta_1);
    const Tensor new_norm = ops::maximum(norm * options_.beta_2, ops::abs(gradient));
    momentum.assign(new_m);
    norm.assign(new_norm);
    const Tensor left =
        has_own_factors(variable) ? left_in(variable.dtype()) : ops::cast(left_, variable.dtype());
    variable.assign(variable - learning_rate * new_m / (left * (new_norm + options_.epsilon)));
  }

 private:
  Tensor left_in(DType dtype) const {
    return 1 - ops::power(options_.beta_1, ops::cast(iterations() + 1, dtype));
  }

  Tensor left_;  // 1 - beta_1^step
};

class NadamOptimizer : public OptimizerWithMoments<NadamOptions> {
 public:
  explicit NadamOptimizer(const NadamOptions& options) : OptimizerWithMoments("Nadam", "nadam", options) {}

 protected:
  void build_extra(std::span<const Variable> variables) override {
    const DType dtype = variables.empty() ? DType::kF32 : variables[0].dtype();
    product_ = add_variable(unique_name("variable"), ir::Literal::scalar(dtype, 1.0));
  }

  // Dozat's momentum schedule, and the product of the momenta so far.
  void begin_step(const Tensor& learning_rate) override {
    const Tensor step = ops::cast(iterations() + 1, learning_rate.dtype());
    const Tensor product = product_ * ops::cast(momentum_at(step), product_.dtype());
    product_.assign(product);
    factors_ = factors_in(learning_rate.dtype());
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const auto of_dtype = [&](const Tensor& x) { return ops::cast(x, variable.dtype()); };
    const auto [new_m, new_v] = update_moments(gradient, index);
    const Factors f = has_own_factors(variable) ? factors_in(variable.dtype()) : factors_;
    const Tensor of_momentum = of_dtype(f.momentum_next / (1 - f.product * f.momentum_next));
    const Tensor of_gradient = of_dtype((1 - f.momentum) / (1 - f.product));
    const Tensor direction = of_momentum * new_m + of_gradient * gradient;
    variable.assign(variable -
                    direction * learning_rate / (ops::sqrt(new_v / of_dtype(f.left)) + options_.epsilon));
  }

 private:
  struct Factors {
    Tensor product, momentum, momentum_next;
    Tensor left;  // 1 - beta_2^step
  };

  Tensor momentum_at(const Tensor& step) const {
    return (1 - ops::power(0.96, step) * 0.5) * options_.beta_1;
  }
  Factors factors_in(DType dtype) const {
    const Tensor step = ops::cast(iterations() + 1, dtype);
    return {.product = ops::cast(product_, dtype),
            .momentum = momentum_at(step),
            .momentum_next = momentum_at(step + 1),
            .left = 1 - ops::power(options_.beta_2, step)};
  }

  Variable product_;
  Factors factors_;  // of the step being built
};

class LambOptimizer : public OptimizerWithMoments<LambOptions> {
 public:
  explicit LambOptimizer(const LambOptions& options) : OptimizerWithMoments("Lamb", "lamb", options) {}

 protected:
  bool updates_each_element_alone() const override { return false; }
  void begin_step(const Tensor& learning_rate) override {
    left_1_ = left_in(learning_rate.dtype(), options_.beta_1);
    left_2_ = left_in(learning_rate.dtype(), options_.beta_2);
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const auto of_dtype = [&](const Tensor& x) { return ops::cast(x, variable.dtype()); };
    const auto [new_m, new_v] = update_moments(gradient, index);
    const Tensor value = variable.value();
    const bool own = has_own_factors(variable);
    const Tensor left_1 = own ? left_in(variable.dtype(), options_.beta_1) : of_dtype(left_1_);
    const Tensor left_2 = own ? left_in(variable.dtype(), options_.beta_2) : of_dtype(left_2_);
    const Tensor step = new_m / left_1 / (ops::sqrt(new_v / left_2) + options_.epsilon);
    const Tensor value_norm = ops::sqrt(ops::sum(ops::square(touched_part(value, index))));
    const Tensor step_norm = ops::sqrt(ops::sum(ops::square(touched_part(step, index))));
    const Tensor are_positive = ops::logical_and(ops::greater(value_norm, 0), ops::greater(step_norm, 0));
    const Tensor ratio = ops::where(are_positive, value_norm / step_norm, 1.0);
    variable.assign(value - ratio * learning_rate * step);
  }

 private:
  /// 1 - beta^step
  Tensor left_in(DType dtype, double beta) const {
    return 1 - ops::power(beta, ops::cast(iterations() + 1, dtype));
  }

  Tensor left_1_;  // 1 - beta_1^step
  Tensor left_2_;  // 1 - beta_2^step
};

}  // namespace

Adam::Adam(AdamOptions options)
    : OptimizerHandle(std::make_shared<AdamOptimizer<AdamOptions>>("Adam", "adam", options)) {}
AdamW::AdamW(AdamWOptions options)
    : OptimizerHandle(std::make_shared<AdamOptimizer<AdamWOptions>>("AdamW", "adamw", options)) {}
Adamax::Adamax(AdamaxOptions options) : OptimizerHandle(std::make_shared<AdamaxOptimizer>(options)) {}
Nadam::Nadam(NadamOptions options) : OptimizerHandle(std::make_shared<NadamOptimizer>(options)) {}
Lamb::Lamb(LambOptions options) : OptimizerHandle(std::make_shared<LambOptimizer>(options)) {}

}  // namespace cornu::inline v0::keras::optimizers
