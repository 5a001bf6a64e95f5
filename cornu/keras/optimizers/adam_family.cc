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

/// Adam and AdamW, which differ in defaults.
template <typename Options>
class AdamOptimizer : public Optimizer {
 public:
  AdamOptimizer(const char* class_name, const char* caller, const Options& options)
      : Optimizer(class_name, base_options(options)), options_(options) {
    check_adam(caller, options);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    std::vector<SlotGroup> groups = {{.names = {"momentum", "velocity"}}};
    if (options_.amsgrad) groups.push_back({.names = {"velocity_hat"}});
    return groups;
  }

  // The corrected step size is one scalar for all variables.
  void begin_step(const Tensor& learning_rate) override {
    const Tensor step = ops::cast(iterations() + 1, learning_rate.dtype());
    const Tensor beta_1_power = ops::power(options_.beta_1, step);
    const Tensor beta_2_power = ops::power(options_.beta_2, step);
    alpha_ = learning_rate * ops::sqrt(1 - beta_2_power) / (1 - beta_1_power);
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor&) override {
    const Variable& momentum = slot("momentum", index);
    const Variable& velocity = slot("velocity", index);
    const Tensor m = momentum.value();
    const Tensor v = velocity.value();
    const Tensor new_m = m + (gradient - m) * (1 - options_.beta_1);
    Tensor new_v = v + (ops::square(gradient) - v) * (1 - options_.beta_2);
    momentum.assign(new_m);
    velocity.assign(new_v);
    if (options_.amsgrad) {
      const Variable& largest = slot("velocity_hat", index);
      new_v = ops::maximum(largest, new_v);
      largest.assign(new_v);
    }
    variable.assign(variable -
                    new_m * ops::cast(alpha_, variable.dtype()) / (ops::sqrt(new_v) + options_.epsilon));
  }

 private:
  Options options_;
  Tensor alpha_;  // of the step that is being built
};

class AdamaxOptimizer : public Optimizer {
 public:
  explicit AdamaxOptimizer(const AdamaxOptions& options)
      : Optimizer("Adamax", base_options(options)), options_(options) {
    check_adam("adamax", options);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"momentum", "norm"}}}; }

  void begin_step(const Tensor& learning_rate) override {
    left_ = 1 - ops::power(options_.beta_1, ops::cast(iterations() + 1, learning_rate.dtype()));
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Variable& momentum = slot("momentum", index);
    const Variable& norm = slot("norm", index);
    const Tensor m = momentum.value();
    const Tensor new_m = m + (gradient - m) * (1 - options_.beta_1);
    const Tensor new_norm = ops::maximum(norm * options_.beta_2, ops::abs(gradient));
    momentum.assign(new_m);
    norm.assign(new_norm);
    variable.assign(variable - learning_rate * new_m /
                                   (ops::cast(left_, variable.dtype()) * (new_norm + options_.epsilon)));
  }

 private:
  AdamaxOptions options_;
  Tensor left_;  // 1 - beta_1^step
};

class NadamOptimizer : public Optimizer {
 public:
  explicit NadamOptimizer(const NadamOptions& options)
      : Optimizer("Nadam", base_options(options)), options_(options) {
    check_adam("nadam", options);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"momentum", "velocity"}}}; }

  void build_extra(std::span<const Variable> variables) override {
    const DType dtype = variables.empty() ? DType::kF32 : variables[0].dtype();
    product_ = add_variable(unique_name("variable"), ir::Literal::scalar(dtype, 1.0));
  }

  // The schedule of momenta by Dozat, and the product of those used so far.
  void begin_step(const Tensor& learning_rate) override {
    const Tensor step = ops::cast(iterations() + 1, learning_rate.dtype());
    const auto momentum_of = [&](const Tensor& at) {
      return (1 - ops::power(0.96, at) * 0.5) * options_.beta_1;
    };
    const Tensor product = product_ * ops::cast(momentum_of(step), product_.dtype());
    product_.assign(product);
    product_now_ = ops::cast(product, learning_rate.dtype());
    momentum_now_ = momentum_of(step);
    momentum_next_ = momentum_of(step + 1);
    left_ = 1 - ops::power(options_.beta_2, step);
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const auto of_dtype = [&](const Tensor& x) { return ops::cast(x, variable.dtype()); };
    const Variable& momentum = slot("momentum", index);
    const Variable& velocity = slot("velocity", index);
    const Tensor m = momentum.value();
    const Tensor v = velocity.value();
    const Tensor new_m = m + (gradient - m) * (1 - options_.beta_1);
    const Tensor new_v = v + (ops::square(gradient) - v) * (1 - options_.beta_2);
    momentum.assign(new_m);
    velocity.assign(new_v);
    const Tensor of_momentum = of_dtype(momentum_next_ / (1 - product_now_ * momentum_next_));
    const Tensor of_gradient = of_dtype((1 - momentum_now_) / (1 - product_now_));
    const Tensor direction = of_momentum * new_m + of_gradient * gradient;
    variable.assign(variable -
                    direction * learning_rate / (ops::sqrt(new_v / of_dtype(left_)) + options_.epsilon));
  }

 private:
  NadamOptions options_;
  Variable product_;
  // Of the step that is being built:
  Tensor product_now_;
  Tensor momentum_now_;
  Tensor momentum_next_;
  Tensor left_;  // 1 - beta_2^step
};

class LambOptimizer : public Optimizer {
 public:
  explicit LambOptimizer(const LambOptions& options)
      : Optimizer("Lamb", base_options(options)), options_(options) {
    check_adam("lamb", options);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"momentum", "velocity"}}}; }

  void begin_step(const Tensor& learning_rate) override {
    const Tensor step = ops::cast(iterations() + 1, learning_rate.dtype());
    left_1_ = 1 - ops::power(options_.beta_1, step);
    left_2_ = 1 - ops::power(options_.beta_2, step);
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const auto of_dtype = [&](const Tensor& x) { return ops::cast(x, variable.dtype()); };
    const Variable& momentum = slot("momentum", index);
    const Variable& velocity = slot("velocity", index);
    const Tensor m = momentum.value();
    const Tensor v = velocity.value();
    const Tensor new_m = m + (gradient - m) * (1 - options_.beta_1);
    const Tensor new_v = v + (ops::square(gradient) - v) * (1 - options_.beta_2);
    momentum.assign(new_m);
    velocity.assign(new_v);
    const Tensor value = variable.value();
    const Tensor step = new_m / of_dtype(left_1_) / (ops::sqrt(new_v / of_dtype(left_2_)) + options_.epsilon);
    const Tensor value_norm = ops::sqrt(ops::sum(ops::square(value)));
    const Tensor step_norm = ops::sqrt(ops::sum(ops::square(step)));
    const Tensor are_positive = ops::logical_and(ops::greater(value_norm, 0), ops::greater(step_norm, 0));
    const Tensor ratio = ops::where(are_positive, value_norm / step_norm, 1.0);
    variable.assign(value - ratio * learning_rate * step);
  }

 private:
  LambOptions options_;
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
