#include <algorithm>
#include <cmath>
#include <regex>

#include "cornu/keras/optimizers/base_options.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::optimizers {
namespace {

Tensor root_mean_square(const Tensor& x) { return ops::sqrt(ops::mean(ops::square(x))); }

class AdafactorOptimizer : public OptimizerWithOptions<AdafactorOptions> {
 public:
  explicit AdafactorOptimizer(const AdafactorOptions& options) : OptimizerWithOptions("Adafactor", options) {
    check_not_negative("adafactor", "epsilon_1", options.epsilon_1);
    check_not_negative("adafactor", "epsilon_2", options.epsilon_2);
    if (!(options.beta_2_decay < 0))
      invalid_argument({.argument = "beta_2_decay"},
                       "[adafactor] beta_2_decay must be negative; got beta_2_decay = {}",
                       options.beta_2_decay);
    if (!(options.clip_threshold > 0))
      invalid_argument({.argument = "clip_threshold"},
                       "[adafactor] clip_threshold must be positive; got clip_threshold = {}",
                       options.clip_threshold);
  }

 protected:
  bool updates_each_element_alone() const override { return false; }
  // The mean squares of the rows ("r") and of the columns ("c") of the last two axes.
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"r", "c", "velocity"}}}; }
  SlotForm slot_form(const Variable& variable, const StringArgument& name) const override {
    Dims shape = variable.shape();
    if (name == "velocity") return {.shape = shape};
    if (shape.size() < 2) return {.shape = {}, .has_variable_name = true};  // unused, but in Keras's files
    shape.erase(shape.end() - (name == "r" ? 1 : 2));
    return {.shape = shape, .has_variable_name = true};
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Tensor step = ops::cast(iterations() + 1, variable.dtype());
    const Tensor decay = 1 - ops::power(step, options_.beta_2_decay);
    const Tensor squares = ops::square(gradient) + options_.epsilon_1;
    const auto average = [&](const Variable& slot, const Tensor& now) {
      const Tensor result = decay * slot + (1 - decay) * now;
      slot.assign(result);
      return result;
    };
    const Variable& velocity = slot("velocity", index);
    Tensor second_moment;
    if (variable.shape().size() < 2) {
      second_moment = average(velocity, squares);
    } else {
      const Tensor rows = average(slot("r", index), ops::mean(squares, {.axis = -1}));
      const Tensor columns = average(slot("c", index), ops::mean(squares, {.axis = -2}));
      const Tensor share = rows / ops::mean(rows, {.axis = -1, .keepdims = true});
      second_moment = ops::expand_dims(share, -1) * ops::expand_dims(columns, -2);
      velocity.assign(second_moment);
    }
    const Tensor update = gradient / ops::sqrt(second_moment);
    const Tensor clipped = update / ops::maximum(root_mean_square(update) / options_.clip_threshold, 1);
    const Tensor rate = ops::minimum(learning_rate, 1 / ops::sqrt(step));
    variable.assign(variable -
                    ops::maximum(root_mean_square(variable.value()), options_.epsilon_2) * rate * clipped);
  }
};

class MuonOptimizer : public OptimizerWithOptions<MuonOptions> {
 public:
  explicit MuonOptimizer(const MuonOptions& options) : OptimizerWithOptions("Muon", options) {
    check_decay("muon", "adam_beta_1", options.adam_beta_1);
    check_decay("muon", "adam_beta_2", options.adam_beta_2);
    check_decay("muon", "momentum", options.momentum);
    check_not_negative("muon", "epsilon", options.epsilon);
    check_not_negative("muon", "adam_lr_ratio", options.adam_lr_ratio);
    if (options.adam_weight_decay)
      check_not_negative("muon", "adam_weight_decay", *options.adam_weight_decay);
    if (options.ns_steps < 0)
      invalid_argument({.argument = "ns_steps"}, "[muon] ns_steps must not be negative; got ns_steps = {}",
                       options.ns_steps);
    for (const std::string& pattern : options.exclude_layers) excluded_.push_back(expression(pattern));
  }

 protected:
  bool updates_each_element_alone() const override { return false; }
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"momentum", "velocity"}}}; }
  SlotForm slot_form(const Variable& variable, const StringArgument& name) const override {
    return {.shape = variable.shape(), .exists = name == "momentum" || is_for_adam(variable)};
  }
  std::optional<double> decay_of(const Variable& variable) const override {
    return is_for_adam(variable) ? options_.adam_weight_decay : options_.weight_decay;
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    if (is_for_adam(variable)) {
      adam_step(gradient, variable, index, learning_rate * options_.adam_lr_ratio);
      return;
    }
    const Variable& momentum = slot("momentum", index);
    const Tensor new_momentum = momentum * options_.momentum + gradient;
    momentum.assign(new_momentum);
    const Tensor direction =
        orthogonalized(options_.nesterov ? gradient + new_momentum * options_.momentum : new_momentum);
    const Dims& shape = variable.shape();
    const double scale =
        options_.rms_rate ? std::sqrt(static_cast<double>(std::max(shape[0], shape[1]))) * *options_.rms_rate
                          : 1.0;
    variable.assign(variable - learning_rate * direction * scale);
  }

 private:
  static std::regex expression(const std::string& pattern) {
    try {
      return std::regex(pattern);
    } catch (const std::regex_error& error) {
      invalid_argument({.argument = "exclude_layers"},
                       "[muon] exclude_layers must be regular expressions; got \"{}\": {}", pattern,
                       error.what());
    }
  }

  bool is_for_adam(const Variable& variable) const {
    if (variable.shape().size() != 2) return true;
    std::string path = variable.path();
    if (std::any_of(excluded_.begin(), excluded_.end(),
                    [&](const std::regex& pattern) { return std::regex_search(path, pattern); }))
      return true;
    std::transform(path.begin(), path.end(), path.begin(), [](unsigned char c) { return std::tolower(c); });
    return options_.exclude_embeddings && path.find("embedding") != std::string::npos;
  }

  void adam_step(const Tensor& gradient, const Variable& variable, std::size_t index, const Tensor& rate) {
    const Variable& momentum = slot("momentum", index);
    const Variable& velocity = slot("velocity", index);
    const Tensor step = ops::cast(iterations() + 1, variable.dtype());
    const Tensor left_1 = 1 - ops::power(options_.adam_beta_1, step);
    const Tensor left_2 = 1 - ops::power(options_.adam_beta_2, step);
    const Tensor m = momentum.value(), v = velocity.value();
    const Tensor new_m = m + (gradient - m) * (1 - options_.adam_beta_1);
    const Tensor new_v = v + (ops::square(gradient) - v) * (1 - options_.adam_beta_2);
    momentum.assign(new_m);
    velocity.assign(new_v);
    variable.assign(variable -
                    new_m * (rate * ops::sqrt(left_2) / left_1) / (ops::sqrt(new_v) + options_.epsilon));
  }

  /// A matrix with the singular vectors of x, and singular values near 1.
  Tensor orthogonalized(const Tensor& x) const {
    const bool is_tall = x.shape()[0] > x.shape()[1];
    Tensor y = is_tall ? ops::transpose(x) : x;
    y = y / (ops::sqrt(ops::sum(ops::square(y))) + 1e-7);
    for (std::int64_t step = 0; step < options_.ns_steps; ++step) {
      const Tensor square = ops::matmul(y, ops::transpose(y));
      const Tensor both = square * options_.muon_b + ops::matmul(square, square) * options_.muon_c;
      y = y * options_.muon_a + ops::matmul(both, y);
    }
    return is_tall ? ops::transpose(y) : y;
  }

  std::vector<std::regex> excluded_;
};

class ScheduleFreeAdamWOptimizer : public OptimizerWithOptions<ScheduleFreeAdamWOptions> {
 public:
  explicit ScheduleFreeAdamWOptimizer(const ScheduleFreeAdamWOptions& options)
      : OptimizerWithOptions("ScheduleFreeAdamW", options) {
    check_decay("schedule_free_adam_w", "beta_1", options.beta_1);
    check_decay("schedule_free_adam_w", "beta_2", options.beta_2);
    check_not_negative("schedule_free_adam_w", "epsilon", options.epsilon);
    if (options.beta_1 == 0)
      invalid_argument({.argument = "beta_1"},
                       "[schedule_free_adam_w] beta_1 must be positive; got beta_1 = 0");
    if (options.warmup_steps < 0)
      invalid_argument({.argument = "warmup_steps"},
                       "[schedule_free_adam_w] warmup_steps must not be negative; got warmup_steps = {}",
                       options.warmup_steps);
  }

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"momentum", "velocity"}}}; }
  SlotForm slot_form(const Variable& variable, const StringArgument& name) const override {
    return {.shape = variable.shape(), .copies_variable = name == "momentum"};
  }

  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Variable& momentum = slot("momentum", index);
    const Variable& velocity = slot("velocity", index);
    const Tensor step = ops::cast(iterations() + 1, variable.dtype());
    Tensor rate = learning_rate;
    if (options_.warmup_steps > 0)
      rate = rate * ops::minimum(step / static_cast<double>(options_.warmup_steps), 1);
    const Tensor left_2 = 1 - ops::power(options_.beta_2, step);
    const Tensor v = velocity.value(), point = momentum.value();
    const Tensor new_v = v + (ops::square(gradient) - v) * (1 - options_.beta_2);
    velocity.assign(new_v);
    const Tensor new_point = point - rate * gradient / (ops::sqrt(new_v / left_2) + options_.epsilon);
    momentum.assign(new_point);
    // The variable is beta_1 of the average of the points and 1 - beta_1 of the last one.
    const double beta_1 = options_.beta_1;
    const Tensor average = (variable - point * (1 - beta_1)) / beta_1;
    const Tensor weight = 1 / step;
    const Tensor new_average = (1 - weight) * average + weight * new_point;
    variable.assign(new_point * (1 - beta_1) + new_average * beta_1);
  }
};

}  // namespace

Adafactor::Adafactor(AdafactorOptions options)
    : OptimizerHandle(std::make_shared<AdafactorOptimizer>(options)) {}
Muon::Muon(MuonOptions options) : OptimizerHandle(std::make_shared<MuonOptimizer>(options)) {}
ScheduleFreeAdamW::ScheduleFreeAdamW(ScheduleFreeAdamWOptions options)
    : OptimizerHandle(std::make_shared<ScheduleFreeAdamWOptimizer>(options)) {}

}  // namespace cornu::inline v0::keras::optimizers
