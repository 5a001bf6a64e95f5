#include "cornu/keras/optimizers/loss_scale_optimizer.h"

#include <cmath>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras::optimizers {
namespace {

Tensor all_finite(std::span<const Tensor> gradients) {
  Tensor all;
  for (const Tensor& gradient : gradients) {
    if (!gradient.defined()) continue;
    const Tensor finite = ops::all(ops::isfinite(gradient));
    all = all.defined() ? ops::logical_and(all, finite) : finite;
  }
  // All replicas skip a step together.
  if (all.defined() && detail::current_replica_trace() != nullptr)
    all = ops::greater(detail::all_reduce(ops::cast(all, DType::kF32), detail::ReplicaReduction::kMin), 0.5);
  return all;
}

class LossScaleOptimizerImpl : public Optimizer {
 public:
  LossScaleOptimizerImpl(LossScaleOptimizerOptions options, std::shared_ptr<Optimizer> inner)
      : Optimizer("LossScaleOptimizer",
                  {.learning_rate = 0.0, .name = options.name, .described = saving::describe(options)}),
        inner_(std::move(inner)),
        growth_steps_(options.dynamic_growth_steps) {
    if (!(options.initial_scale > 0) || !std::isfinite(options.initial_scale))
      invalid_argument(
          {.argument = "initial_scale"},
          "[loss_scale_optimizer] initial_scale must be positive and finite; got initial_scale = {}",
          options.initial_scale);
    if (growth_steps_ < 1)
      invalid_argument(
          {.argument = "dynamic_growth_steps"},
          "[loss_scale_optimizer] dynamic_growth_steps must be at least 1; got dynamic_growth_steps = {}",
          growth_steps_);
    const auto scalar = [&](const char* name, DType dtype, double value) {
      return Variable(ir::Literal::scalar(dtype, value),
                      {.name = name, .path = this->name() + "/" + name, .trainable = false});
    };
    step_counter_ = scalar("step_counter", DType::kI64, 0);
    dynamic_scale_ = scalar("dynamic_scale", DType::kF32, options.initial_scale);
    inner_->drop_loss_scale_factor();  // it would divide the gradients once more
  }

  Config get_config() const override {
    return described_config("keras.optimizers", "optimizer", name(), Config::dict({{"name", name()}}));
  }

  Optimizer* inner_optimizer() const override { return inner_.get(); }
  std::vector<std::shared_ptr<Optimizer>> optimizers() const override { return inner_->optimizers(); }
  bool skips_non_finite() const override { return true; }

  void build(std::span<const Variable> variables) override {
    if (!inner_->built()) inner_->build(variables);
    Optimizer::build(variables);
  }
  void forget_variables() override {
    inner_->forget_variables();
    Optimizer::forget_variables();
  }

  void apply(std::span<const Tensor> gradients, std::span<const Variable> variables) override {
    if (gradients.size() != variables.size())
      invalid_argument("[{}] {} gradients for {} variables", name(), gradients.size(), variables.size());
    if (!built()) build(variables);
    const Tensor finite = all_finite(gradients);
    if (!finite.defined())
      invalid_argument("[{}] no gradient reaches any of the {} variables", name(), variables.size());
    const Tensor scale = dynamic_scale_.value();
    if (Trace::current() != nullptr) {
      apply_traced(unscaled(gradients, scale), variables, finite);
    } else if (finite.item<bool>()) {
      inner_->apply(unscaled(gradients, scale), variables);
    }
    const Tensor grows = ops::logical_and(finite, ops::equal(step_counter_, growth_steps_ - 1));
    step_counter_.assign(ops::where(ops::logical_and(finite, ops::logical_not(grows)), step_counter_ + 1,
                                    Tensor::zeros({}, DType::kI64)));
    dynamic_scale_.assign(ops::where(finite, ops::where(grows, scale * 2.0, scale), scale * 0.5));
  }

  Tensor scale_loss(const Tensor& loss) const override {
    return loss * ops::cast(dynamic_scale_, loss.dtype());
  }
  void finalize_variable_values(std::span<const Variable> variables) const override {
    inner_->finalize_variable_values(variables);
  }
  bool keeps_averages() const override { return inner_->keeps_averages(); }
  void swap_averages() const override { inner_->swap_averages(); }
  void load_averages() const override { inner_->load_averages(); }

  std::vector<Variable> variables() const override {
    std::vector<Variable> all = Optimizer::variables();
    if (built()) all.insert(all.end(), {step_counter_, dynamic_scale_});
    const std::vector<Variable> inner = inner_->variables();
    all.insert(all.end(), inner.begin(), inner.end());
    return all;
  }
  Tensor iterations() const override { return inner_->iterations(); }
  const Variable& iteration_variable() const override { return inner_->iteration_variable(); }
  Tensor learning_rate() const override { return inner_->learning_rate(); }
  const Variable& learning_rate_variable() const override { return inner_->learning_rate_variable(); }
  void set_learning_rate(double value) const override { inner_->set_learning_rate(value); }

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {}; }
  void update_step(const Tensor&, const Variable&, std::size_t, const Tensor&) override {}

 private:
  static std::vector<Tensor> unscaled(std::span<const Tensor> gradients, const Tensor& scale) {
    std::vector<Tensor> result;
    for (const Tensor& gradient : gradients)
      result.push_back(gradient.defined() ? gradient / ops::cast(scale, gradient.dtype()) : gradient);
    return result;
  }

  // The update is traced once; in a skipped step, assigned variables keep their old values.
  void apply_traced(const std::vector<Tensor>& gradients, std::span<const Variable> variables,
                    const Tensor& finite) {
    std::vector<Variable> touched = inner_->variables();
    touched.insert(touched.end(), variables.begin(), variables.end());
    std::vector<Tensor> before;
    before.reserve(touched.size());
    for (const Variable& variable : touched) before.push_back(variable.value());
    inner_->apply(gradients, variables);
    for (std::size_t i = 0; i < touched.size(); ++i) {
      const Tensor after = touched[i].value();
      if (after.value() != before[i].value()) touched[i].assign(ops::where(finite, after, before[i]));
    }
  }

  std::shared_ptr<Optimizer> inner_;
  std::int64_t growth_steps_;
  Variable step_counter_;
  Variable dynamic_scale_;
};

std::shared_ptr<Optimizer> make(LossScaleOptimizerOptions options) {
  if (!options.inner_optimizer.is_set())
    invalid_argument(
        {.argument = "inner_optimizer"},
        "[loss_scale_optimizer] inner_optimizer is missing: give the optimizer that updates the variables");
  std::shared_ptr<Optimizer> inner = options.inner_optimizer.get({"loss_scale_optimizer", "inner_optimizer"});
  options.inner_optimizer = inner;  // a name would make a new one each time
  return std::make_shared<LossScaleOptimizerImpl>(std::move(options), std::move(inner));
}

}  // namespace

LossScaleOptimizer::LossScaleOptimizer(LossScaleOptimizerOptions options)
    : OptimizerHandle(make(std::move(options))) {}

}  // namespace cornu::inline v0::keras::optimizers
