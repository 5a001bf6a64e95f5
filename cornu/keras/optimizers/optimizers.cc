#include "cornu/keras/optimizers/optimizers.h"

#include <array>

#include "cornu/keras/base/name_table.h"
#include "cornu/keras/optimizers/base_options.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace optimizers {
namespace {

class SGDOptimizer : public OptimizerWithOptions<SGDOptions> {
 public:
  explicit SGDOptimizer(const SGDOptions& options) : OptimizerWithOptions("SGD", options) {
    if (!(options.momentum >= 0 && options.momentum <= 1))
      invalid_argument({.argument = "momentum"}, "[sgd] momentum must be in [0, 1]; got momentum = {}",
                       options.momentum);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override {
    if (options_.momentum == 0) return {};
    return {{.names = {"momentum"}}};
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
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
};

class LionOptimizer : public OptimizerWithOptions<LionOptions> {
 public:
  explicit LionOptimizer(const LionOptions& options) : OptimizerWithOptions("Lion", options) {
    if (!(options.beta_1 > 0 && options.beta_1 <= 1))
      invalid_argument({.argument = "beta_1"}, "[lion] beta_1 must be in (0, 1]; got beta_1 = {}",
                       options.beta_1);
    check_decay("lion", "beta_2", options.beta_2);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"momentum"}}}; }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Variable& momentum = slot("momentum", index);
    const Tensor m = momentum.value();
    variable.assign(variable -
                    learning_rate * ops::sign(m * options_.beta_1 + gradient * (1 - options_.beta_1)));
    momentum.assign(m * options_.beta_2 + gradient * (1 - options_.beta_2));
  }
};

}  // namespace

SGD::SGD(SGDOptions options) : OptimizerHandle(std::make_shared<SGDOptimizer>(options)) {}
Lion::Lion(LionOptions options) : OptimizerHandle(std::make_shared<LionOptimizer>(options)) {}

}  // namespace optimizers

namespace {

constexpr std::array<NamedMaker<Optimizer>, 14> kOptimizers = {{
    {"sgd", &make_default<Optimizer, optimizers::SGD>},
    {"adam", &make_default<Optimizer, optimizers::Adam>},
    {"adamw", &make_default<Optimizer, optimizers::AdamW>},
    {"rmsprop", &make_default<Optimizer, optimizers::RMSprop>},
    {"adagrad", &make_default<Optimizer, optimizers::Adagrad>},
    {"adadelta", &make_default<Optimizer, optimizers::Adadelta>},
    {"adamax", &make_default<Optimizer, optimizers::Adamax>},
    {"nadam", &make_default<Optimizer, optimizers::Nadam>},
    {"lion", &make_default<Optimizer, optimizers::Lion>},
    {"lamb", &make_default<Optimizer, optimizers::Lamb>},
    {"ftrl", &make_default<Optimizer, optimizers::Ftrl>},
    {"adafactor", &make_default<Optimizer, optimizers::Adafactor>},
    {"muon", &make_default<Optimizer, optimizers::Muon>},
    {"schedulefreeadamw", &make_default<Optimizer, optimizers::ScheduleFreeAdamW>},
}};

}  // namespace

std::shared_ptr<Optimizer> Optimizer::from_name(const StringArgument& name, const ArgumentName& argument) {
  if (std::shared_ptr<Optimizer> optimizer = make_named<Optimizer>(kOptimizers, name)) return optimizer;
  unknown_name(argument, name, table_names<Optimizer>(kOptimizers));
}

}  // namespace cornu::inline v0::keras
