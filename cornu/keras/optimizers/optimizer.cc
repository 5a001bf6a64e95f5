#include "cornu/keras/optimizers/optimizer.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/keras/names.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras {
namespace {

std::vector<Tensor> clipped(std::vector<Tensor> gradients, const OptimizerBaseOptions& options) {
  const auto norm_of = [](const Tensor& squared) { return ops::sqrt(squared); };
  const auto for_each = [&](auto&& f) {
    for (Tensor& gradient : gradients) gradient = f(gradient);
  };
  if (options.clipnorm && *options.clipnorm > 0) {
    const double limit = *options.clipnorm;
    for_each([&](const Tensor& g) {
      const Tensor norm = norm_of(ops::sum(ops::square(g)));
      return g * (limit / ops::maximum(norm, limit));
    });
  } else if (options.global_clipnorm && *options.global_clipnorm > 0) {
    const double limit = *options.global_clipnorm;
    Tensor squared;
    for (const Tensor& g : gradients) squared = squared.defined() ? squared + ops::sum(ops::square(g)) : ops::sum(ops::square(g));
    const Tensor norm = norm_of(squared);
    // The last term makes the scale NaN when the norm is not finite, as in Keras.
    const Tensor scale = limit * ops::minimum(1.0 / norm, 1.0 / limit) + (norm - norm);
    for_each([&](const Tensor& g) { return g * scale; });
  } else if (options.clipvalue && *options.clipvalue > 0) {
    for_each([&](const Tensor& g) { return ops::clip(g, -*options.clipvalue, *options.clipvalue); });
  }
  return gradients;
}

}  // namespace

Optimizer::Optimizer(std::string class_name, OptimizerBaseOptions options)
    : class_name_(std::move(class_name)), options_(std::move(options)) {
  name_ = options_.name.empty() ? unique_name(snake_case(class_name_)) : options_.name;
  check_learning_rate(options_.learning_rate);
  iterations_ = Variable(ir::Literal(TensorType{DType::kI64, {}}), {.name = "iteration", .path = name_ + "/iteration", .trainable = false});
  learning_rate_ = Variable(ir::Literal::scalar(DType::kF32, options_.learning_rate),
                            {.name = "learning_rate", .path = name_ + "/learning_rate", .trainable = false});
}

void Optimizer::build(std::span<const Variable> variables) {
  if (built_) {
    if (!std::equal(variables.begin(), variables.end(), model_variables_.begin(), model_variables_.end()))
      invalid_argument("[{}] the optimizer was built for other variables; make a new optimizer for this model", name_);
    return;
  }
  model_variables_.assign(variables.begin(), variables.end());
  for (const SlotGroup& group : slot_groups()) {
    for (const std::string& slot_name : group.names) slots_by_name_.emplace_back(slot_name, std::vector<Variable>());
    for (const Variable& variable : variables) {
      std::string base = variable.path();
      std::replace(base.begin(), base.end(), '/', '_');
      for (const std::string& slot_name : group.names) {
        const std::string name = base + "_" + slot_name;
        Variable made(ir::Literal(variable.type()), {.name = name, .path = name_ + "/" + name, .trainable = false});
        slots_.push_back(made);
        for (auto& [known, list] : slots_by_name_)
          if (known == slot_name) list.push_back(made);
      }
    }
  }
  built_ = true;
}

void Optimizer::apply(std::span<const Tensor> gradients, std::span<const Variable> variables) {
  if (gradients.size() != variables.size())
    invalid_argument("[{}] {} gradients for {} variables", name_, gradients.size(), variables.size());
  build(variables);
  std::vector<Tensor> defined;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;
    defined.push_back(ops::cast(gradients[i], variables[i].dtype()));
    indices.push_back(i);
  }
  if (defined.empty()) invalid_argument("[{}] no gradient reaches any of the {} variables", name_, variables.size());
  defined = clipped(std::move(defined), options_);
  const Tensor learning_rate = learning_rate_.value();
  if (options_.weight_decay) {
    for (const std::size_t i : indices) {
      const Tensor value = variables[i].value();
      variables[i].assign(value - value * *options_.weight_decay * ops::cast(learning_rate, value.dtype()));
    }
  }
  begin_step(learning_rate);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const Variable& variable = variables[indices[k]];
    update_step(defined[k], variable, indices[k], ops::cast(learning_rate, variable.dtype()));
  }
  iterations_.assign(iterations_ + 1);
}

std::vector<Variable> Optimizer::variables() const {
  std::vector<Variable> all = {iterations_, learning_rate_};
  all.insert(all.end(), slots_.begin(), slots_.end());
  return all;
}

void Optimizer::set_learning_rate(double value) const {
  check_learning_rate(value);
  learning_rate_.load(ir::Literal::scalar(DType::kF32, value));
}

void Optimizer::check_learning_rate(double value) const {
  if (!std::isfinite(value) || value < 0) invalid_argument("[{}] learning_rate must be finite and not negative; got {}", name_, value);
}

void Optimizer::forget_variables() {
  built_ = false;
  model_variables_.clear();
  slots_.clear();
  slots_by_name_.clear();
}

const Variable& Optimizer::slot(const std::string& name, std::size_t index) const {
  for (const auto& [known, list] : slots_by_name_)
    if (known == name) return list[index];
  CORNU_CHECK(false, "optimizer {} has no slot {}", name_, name);
  return iterations_;
}

}  // namespace cornu::keras
