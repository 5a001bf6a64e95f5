#include "cornu/keras/optimizers/optimizers.h"

#include <array>

#include "cornu/base/check.h"
#include "cornu/keras/name_table.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras {
namespace optimizers {
namespace {

template <typename Options>
OptimizerBaseOptions base_options(const Options& options) {
  return {.learning_rate = options.learning_rate,
          .weight_decay = options.weight_decay,
          .clipnorm = options.clipnorm,
          .clipvalue = options.clipvalue,
          .global_clipnorm = options.global_clipnorm,
          .name = options.name};
}

void check_decay(const char* caller, const char* name, double value) {
  if (!(value >= 0 && value < 1)) invalid_argument("[{}] {} must be in [0, 1); got {}", caller, name, value);
}

void check_epsilon(const char* caller, double value) {
  if (!(value >= 0)) invalid_argument("[{}] epsilon must not be negative; got {}", caller, value);
}

class SGDOptimizer : public Optimizer {
 public:
  explicit SGDOptimizer(const SGDOptions& options) : Optimizer("SGD", base_options(options)), options_(options) {
    if (!(options.momentum >= 0 && options.momentum <= 1)) invalid_argument("[sgd] momentum must be in [0, 1]; got {}", options.momentum);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    if (options_.momentum == 0) return {};
    return {{{"momentum"}}};
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index, const Tensor& learning_rate) override {
    const Tensor step = gradient * learning_rate;
    if (options_.momentum == 0) {
      variable.assign(variable - step);
      return;
    }
    const Variable& slot_variable = slot("momentum", index);
    const Tensor momentum = slot_variable * options_.momentum - step;
    slot_variable.assign(momentum);
    variable.assign(variable + (options_.nesterov ? momentum * options_.momentum - step : momentum));
  }

 private:
  SGDOptions options_;
};

class AdamOptimizer : public Optimizer {
 public:
  explicit AdamOptimizer(const AdamOptions& options) : Optimizer("Adam", base_options(options)), options_(options) {
    check_decay("adam", "beta_1", options.beta_1);
    check_decay("adam", "beta_2", options.beta_2);
    check_epsilon("adam", options.epsilon);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    std::vector<SlotGroup> groups = {{{"momentum", "velocity"}}};
    if (options_.amsgrad) groups.push_back({{"velocity_hat"}});
    return groups;
  }

  // The corrected step size is one scalar for all variables.
  void begin_step(const Tensor& learning_rate) override {
    const Tensor step = ops::cast(iterations() + 1, learning_rate.dtype());
    const Tensor beta_1_power = ops::power(options_.beta_1, step);
    const Tensor beta_2_power = ops::power(options_.beta_2, step);
    alpha_ = learning_rate * ops::sqrt(1 - beta_2_power) / (1 - beta_1_power);
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index, const Tensor&) override {
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
    variable.assign(variable - new_m * ops::cast(alpha_, variable.dtype()) / (ops::sqrt(new_v) + options_.epsilon));
  }

 private:
  AdamOptions options_;
  Tensor alpha_;  // of the step that is being built
};

class RMSpropOptimizer : public Optimizer {
 public:
  explicit RMSpropOptimizer(const RMSpropOptions& options) : Optimizer("RMSprop", base_options(options)), options_(options) {
    check_decay("rmsprop", "rho", options.rho);
    check_epsilon("rmsprop", options.epsilon);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    std::vector<SlotGroup> groups = {{{"velocity"}}};
    if (options_.momentum > 0) groups.push_back({{"momentum"}});
    if (options_.centered) groups.push_back({{"average_gradient"}});
    return groups;
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index, const Tensor& learning_rate) override {
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

 private:
  RMSpropOptions options_;
};

}  // namespace

SGD::SGD(SGDOptions options) : OptimizerHandle(std::make_shared<SGDOptimizer>(options)) {}
Adam::Adam(AdamOptions options) : OptimizerHandle(std::make_shared<AdamOptimizer>(options)) {}
RMSprop::RMSprop(RMSpropOptions options) : OptimizerHandle(std::make_shared<RMSpropOptimizer>(options)) {}

}  // namespace optimizers

namespace {

constexpr std::array<NamedMaker<Optimizer>, 3> kOptimizers = {{
    {"sgd", &make_default<Optimizer, optimizers::SGD>},
    {"adam", &make_default<Optimizer, optimizers::Adam>},
    {"rmsprop", &make_default<Optimizer, optimizers::RMSprop>},
}};

}  // namespace

std::shared_ptr<Optimizer> Optimizer::from_name(const std::string& name) {
  if (std::shared_ptr<Optimizer> optimizer = make_named<Optimizer>(kOptimizers, name)) return optimizer;
  unknown_name("optimizer", name, table_names<Optimizer>(kOptimizers));
}

}  // namespace cornu::keras
