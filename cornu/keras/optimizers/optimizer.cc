#include "cornu/keras/optimizers/optimizer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/keras/base/name_patterns_support.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/initializers/initializers.h"
#include "cornu/keras/optimizers/schedules/rate_dtype_support.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/table_pool.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/trace/variable_storage.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {
namespace {

/// The sum of the squares of a variable's gradient; over all replicas if each has a part of it.
Tensor squared_norm(const Tensor& gradient, const Variable& variable) {
  const Tensor own = ops::sum(ops::square(gradient));
  return detail::num_replicas_with_parts(variable) == 1
             ? own
             : detail::all_reduce(own, detail::ReplicaReduction::kSum);
}

/// `variables`: those of the gradients.
std::vector<Tensor> clipped(std::vector<Tensor> gradients, std::span<const Variable> variables,
                            const OptimizerBaseOptions& options) {
  const auto norm_of = [](const Tensor& squared) { return ops::sqrt(squared); };
  const auto for_each = [&](auto&& f) {
    for (Tensor& gradient : gradients) gradient = f(gradient);
  };
  if (options.clipnorm && *options.clipnorm > 0) {
    const double limit = *options.clipnorm;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const Tensor norm = norm_of(squared_norm(gradients[i], variables[i]));
      gradients[i] = gradients[i] * (limit / ops::maximum(norm, limit));
    }
  } else if (options.global_clipnorm && *options.global_clipnorm > 0) {
    const double limit = *options.global_clipnorm;
    Tensor squared;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const Tensor own = squared_norm(gradients[i], variables[i]);
      squared = squared.defined() ? squared + own : own;
    }
    const Tensor norm = norm_of(squared);
    // The last term makes the scale NaN if the norm is not finite, as in Keras.
    const Tensor scale = limit * ops::minimum(1.0 / norm, 1.0 / limit) + (norm - norm);
    for_each([&](const Tensor& g) { return g * scale; });
  } else if (options.clipvalue && *options.clipvalue > 0) {
    for_each([&](const Tensor& g) { return ops::clip(g, -*options.clipvalue, *options.clipvalue); });
  }
  return gradients;
}

/// The gradients' sums over all replicas. A replica's part of a sharded variable has them already.
std::vector<Tensor> summed_over_replicas(std::vector<Tensor> gradients, std::span<const Variable> variables) {
  std::vector<Tensor> apart;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (detail::num_replicas_with_parts(variables[i]) == 1) apart.push_back(gradients[i]);
  if (apart.empty()) return gradients;
  const std::vector<Tensor> sums = detail::sum_of_gradients(apart);
  auto next = sums.begin();
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (detail::num_replicas_with_parts(variables[i]) == 1) gradients[i] = *next++;
  return gradients;
}

/// x / y (rounded down) or x % y of counts.
Tensor count_op(const char* name, ir::Value (*op)(ir::Builder&, ir::Value, ir::Value), const Tensor& x,
                std::int64_t y) {
  const Tensor inputs[] = {x, Tensor(ir::Literal::scalar(x.dtype(), static_cast<double>(y)))};
  return detail::run_op(detail::OpKey(name), inputs,
                        [&](ir::Builder& b, std::span<const ir::Value> v) { return op(b, v[0], v[1]); });
}

/// True if the step after `count` ends a period of `steps`.
Tensor ends_period(const Tensor& count, std::int64_t steps) {
  return ops::equal(count_op("remainder", &ops::remainder, count + 1, steps), 0);
}

}  // namespace

Optimizer::Optimizer(StringArgument class_name, OptimizerBaseOptions options)
    : class_name_(std::move(class_name)), options_(std::move(options)) {
  name_ = options_.name.empty() ? unique_name(snake_case(class_name_)) : options_.name;
  check_name(snake_case(class_name_), name_);
  if (options_.described != nullptr) DescriptionAccess::set(*this, {class_name_, options_.described});
  check_options();
  iteration_ = Variable(ir::Literal(TensorType{DType::kI64, {}}),
                        {.name = "iteration", .path = name_ + "/iteration", .trainable = false});
  if (!options_.learning_rate.is_number()) return;
  learning_rate_ = Variable(ir::Literal::scalar(rate_dtype(), options_.learning_rate.number()),
                            {.name = "learning_rate", .path = name_ + "/learning_rate", .trainable = false});
}

Config Optimizer::get_config() const {
  Config state = Config::dict({{"name", name_}});
  if (options_.learning_rate.is_number()) state.set("learning_rate", learning_rate_.read().at(0));
  if (!options_.loss_scale_factor) state.set("loss_scale_factor", nullptr);
  return described_config("keras.optimizers", "optimizer", name_, state);
}

Config OptimizerHandle::get_config() const { return (*this)->get_config(); }

void Optimizer::check_options() const {
  if (options_.learning_rate.is_number()) check_learning_rate(options_.learning_rate.number());
  const auto check = [&](const char* option, std::optional<double> value) {
    if (value && (!std::isfinite(*value) || *value < 0))
      invalid_argument({.argument = option}, "[{}] {} must be finite and not negative; got {} = {}", name_,
                       option, option, *value);
  };
  check("weight_decay", options_.weight_decay);
  check("clipnorm", options_.clipnorm);
  check("clipvalue", options_.clipvalue);
  check("global_clipnorm", options_.global_clipnorm);
  std::string clips;
  int num_clips = 0;
  for (const auto& [option, value] :
       {std::pair("clipnorm", options_.clipnorm), std::pair("clipvalue", options_.clipvalue),
        std::pair("global_clipnorm", options_.global_clipnorm)}) {
    if (!value) continue;
    clips += fmt::format("{}{} = {}", clips.empty() ? "" : ", ", option, *value);
    ++num_clips;
  }
  if (num_clips > 1)
    invalid_argument("[{}] only one of clipnorm, clipvalue and global_clipnorm can be set; got {}", name_,
                     clips);
  if (options_.use_ema && !(options_.ema_momentum >= 0 && options_.ema_momentum <= 1))
    invalid_argument({.argument = "ema_momentum"},
                     "[{}] ema_momentum must be in [0, 1]; got ema_momentum = {}", name_,
                     options_.ema_momentum);
  if (options_.use_ema && options_.ema_overwrite_frequency && *options_.ema_overwrite_frequency < 1)
    invalid_argument({.argument = "ema_overwrite_frequency"},
                     "[{}] ema_overwrite_frequency must be at least 1; got ema_overwrite_frequency = {}",
                     name_, *options_.ema_overwrite_frequency);
  if (options_.loss_scale_factor &&
      !(*options_.loss_scale_factor > 0 && std::isfinite(*options_.loss_scale_factor)))
    invalid_argument({.argument = "loss_scale_factor"},
                     "[{}] loss_scale_factor must be positive; got loss_scale_factor = {}", name_,
                     *options_.loss_scale_factor);
  if (options_.gradient_accumulation_steps && *options_.gradient_accumulation_steps < 2)
    invalid_argument(
        {.argument = "gradient_accumulation_steps"},
        "[{}] gradient_accumulation_steps must be at least 2; got gradient_accumulation_steps = {}", name_,
        *options_.gradient_accumulation_steps);
}

Variable Optimizer::add_variable(const StringArgument& name, const ir::Literal& value) {
  slots_.emplace_back(value, VariableOptions{.name = name, .path = name_ + "/" + name, .trainable = false});
  return slots_.back();
}

namespace {

/// "sequential_dense_kernel_momentum"
std::string slot_variable_name(const Variable& variable, const std::string& slot_name) {
  std::string base = variable.path();
  std::replace(base.begin(), base.end(), '/', '_');
  return base + "_" + slot_name;
}

/// A slot whose elements begin as `initial`, in the same kind of memory as the variable.
Variable slot_of(const Variable& variable, const std::string& slot_name, double initial,
                 VariableOptions options) {
  options.trainable = false;
  if (const detail::VariableStorage* const storage = detail::storage_of(variable))
    return storage->make_slot(slot_name, initial, std::move(options));
  if (initial == 0) return detail::zero_variable(variable.type(), std::move(options));
  return Variable((*initializers::Constant(initial))(variable.shape(), variable.dtype()), std::move(options));
}

}  // namespace

std::vector<Variable> Optimizer::make_slots(const std::string& slot_name) {
  std::vector<Variable> made;
  for (const Variable& variable : model_variables_) {
    const std::string name = slot_variable_name(variable, slot_name);
    made.push_back(slot_of(variable, slot_name, 0, {.name = name, .path = name_ + "/" + name}));
    detail::cut_like(made.back(), variable);
  }
  return made;
}

Variable Optimizer::make_slot(const Variable& variable, const std::string& slot_name, double initial) const {
  const SlotForm form = slot_form(variable, slot_name);
  if (!form.exists) return {};
  const std::string name = form.has_variable_name ? variable.name() : slot_variable_name(variable, slot_name);
  VariableOptions options = {.name = name, .path = name_ + "/" + name};
  if (form.shape != variable.shape()) {
    options.trainable = false;
    return detail::zero_variable({variable.dtype(), form.shape}, std::move(options));
  }
  if (form.copies_variable) {
    options.trainable = false;
    return Variable(variable.read(), std::move(options));
  }
  Variable made = slot_of(variable, slot_name, initial, std::move(options));
  detail::cut_like(made, variable);
  return made;
}

namespace {

/// Refuses a table in place of its pool, and a norm that would be the pool's in place of the tables'.
void check_pool(const Variable& variable, const OptimizerBaseOptions& options, const std::string& name) {
  if (detail::is_in_pool(variable))
    invalid_argument({.argument = "variables"},
                     "[{}] \"{}\" has sharding = \"table_wise\": the optimizer trains the pool that has the "
                     "table; build it for trainable_weights()",
                     name, variable.path());
  if (detail::is_pool(variable) && options.clipnorm && *options.clipnorm > 0)
    fail(ErrorCode::kUnimplemented, {.argument = "clipnorm"},
         "[{}] clipnorm limits the gradient of each variable, and the tables of \"{}\" with sharding = "
         "\"table_wise\" are updated together: use global_clipnorm, or sharding = \"row_wise\"",
         name, variable.path());
}

}  // namespace

void Optimizer::build(std::span<const Variable> variables) {
  if (built_) {
    if (!std::equal(variables.begin(), variables.end(), model_variables_.begin(), model_variables_.end()))
      invalid_argument(
          "[{}] the optimizer was built for other variables; make a new optimizer for this model", name_);
    return;
  }
  for (const Variable& variable : variables) {
    variable.type();  // throws when undefined
    check_pool(variable, options_, name_);
    if (detail::parts_of(variable) != nullptr && !updates_each_element_alone())
      fail(ErrorCode::kUnimplemented, {.argument = "sharding"},
           "[{}] {} computes norms of whole variables, and \"{}\" is in parts: use another optimizer, or "
           "sharding = \"replicated\", or no layout for it",
           name_, class_name_, variable.path());
  }
  model_variables_.assign(variables.begin(), variables.end());
  if (options_.use_ema) averages_ = make_slots("average");
  if (options_.gradient_accumulation_steps) accumulators_ = make_slots("gradient_accumulator");
  for (const SlotGroup& group : slot_groups()) {
    for (const std::string& slot_name : group.names)
      slots_by_name_.emplace_back(slot_name, std::vector<Variable>());
    for (const Variable& variable : variables) {
      for (std::size_t i = 0; i < group.names.size(); ++i) {
        const double initial = i < group.initial_values.size() ? group.initial_values[i] : 0;
        const Variable made = make_slot(variable, group.names[i], initial);
        if (made.defined()) slots_.push_back(made);
        for (auto& [known, list] : slots_by_name_)
          if (known == group.names[i]) list.push_back(made);
      }
    }
  }
  build_extra(variables);
  built_ = true;
}

std::size_t Optimizer::index_of(const Variable& variable) const {
  const auto found = std::find(model_variables_.begin(), model_variables_.end(), variable);
  if (found == model_variables_.end())
    invalid_argument(
        "[{}] the optimizer was built for other variables, without \"{}\"; make a new optimizer for these",
        name_, variable.path());
  return static_cast<std::size_t>(found - model_variables_.begin());
}

namespace {

/// While it lives, runs of other threads that read the variables wait: outside of a trace the variables are
/// updated one after the other. No effect inside a trace.
class EagerUpdate {
 public:
  explicit EagerUpdate(std::span<const Variable> variables) {
    if (Trace::current() == nullptr)
      claim_.emplace(detail::VariableClaim::Variables{.written = variables}, detail::OtherThreads::kWait);
  }

 private:
  std::optional<detail::VariableClaim> claim_;
};

}  // namespace

void Optimizer::apply(std::span<const Tensor> gradients, std::span<const Variable> variables) {
  if (gradients.size() != variables.size())
    invalid_argument("[{}] {} gradients for {} variables", name_, gradients.size(), variables.size());
  if (!built_) build(variables);
  const detail::OwnPartsScope own_parts;
  const bool is_all =
      std::equal(variables.begin(), variables.end(), model_variables_.begin(), model_variables_.end());
  Step step;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::size_t index = is_all ? i : index_of(variables[i]);
    if (!gradients[i].defined()) continue;
    if (!ir::is_float(variables[i].dtype()))
      invalid_argument("[{}] variable \"{}\" must be floating-point to be trained; got {}", name_,
                       variables[i].path(), type_str(variables[i].type()));
    if (gradients[i].type().dims != detail::type_here(variables[i]).dims)
      invalid_argument("[{}] the gradient of variable \"{}\" of shape {} has shape {}", name_,
                       variables[i].path(), ir::shape_str(detail::type_here(variables[i]).dims),
                       ir::shape_str(gradients[i].shape()));
    step.gradients.push_back(ops::cast(gradients[i], variables[i].dtype()));
    step.indices.push_back(index);
  }
  if (step.gradients.empty())
    invalid_argument("[{}] no gradient reaches any of the {} variables", name_, variables.size());
  step.gradients = summed_over_replicas(std::move(step.gradients), variables_of(step));
  const EagerUpdate others_wait(variables);
  if (options_.loss_scale_factor) {
    for (Tensor& gradient : step.gradients) gradient = gradient / *options_.loss_scale_factor;
  }
  if (options_.gradient_accumulation_steps) {
    accumulate(step);
  } else {
    update(step);
  }
  if (options_.use_ema) update_averages();
  for (const std::size_t index : step.indices) {
    const Variable& variable = model_variables_[index];
    if (variable.constraint()) variable.assign(variable.constraint()(variable.value()));
  }
  iteration_.assign(iteration_ + 1);
}

void Optimizer::apply(std::span<const Tensor> gradients) {
  if (!built_)
    fail(ErrorCode::kFailedPrecondition, "[{}] call build(variables) before apply without variables", name_);
  apply(gradients, model_variables_);
}

void Optimizer::apply_gradients(std::span<const std::pair<Tensor, Variable>> gradients_and_variables) {
  std::vector<Tensor> gradients;
  std::vector<Variable> variables;
  for (const auto& [gradient, variable] : gradients_and_variables) {
    gradients.push_back(gradient);
    variables.push_back(variable);
  }
  apply(gradients, variables);
}

std::vector<Variable> Optimizer::variables_of(const Step& step) const {
  std::vector<Variable> variables;
  variables.reserve(step.indices.size());
  for (const std::size_t index : step.indices) variables.push_back(model_variables_[index]);
  return variables;
}

namespace {

/// True for each row with an element that is not zero, [rows, 1, ...].
Tensor rows_with_gradient(const Tensor& gradient) {
  const Tensor is_not_zero = ops::not_equal(gradient, 0);
  if (gradient.rank() == 1) return is_not_zero;
  Dims axes;
  for (std::int64_t axis = 1; axis < gradient.rank(); ++axis) axes.push_back(axis);
  return ops::any(is_not_zero, {.axis = axes, .keepdims = true});
}

}  // namespace

std::vector<Optimizer::RowsBefore> Optimizer::find_touched_rows(const Step& step) {
  touched_rows_.clear();
  if (!options_.lazy_rows) return {};
  touched_rows_.resize(model_variables_.size());
  std::vector<RowsBefore> before;
  for (std::size_t k = 0; k < step.indices.size(); ++k) {
    const std::size_t index = step.indices[k];
    const Variable& variable = model_variables_[index];
    if (!variable.is_table() || variable.shape().empty()) continue;
    const Tensor touched = rows_with_gradient(step.gradients[k]);
    touched_rows_[index] = touched;
    before.push_back({variable, variable.value(), touched});
    for (const auto& [name, slots] : slots_by_name_)
      before.push_back({slots[index], slots[index].value(), touched});
  }
  return before;
}

Tensor Optimizer::touched_part(const Tensor& x, std::size_t index) const {
  if (touched_rows_.empty() || !touched_rows_[index].defined()) return x;
  return ops::where(touched_rows_[index], x, ops::zeros_like(x));
}

void Optimizer::update(const Step& step) {
  const std::vector<RowsBefore> before = find_touched_rows(step);
  const std::vector<Tensor> gradients = clipped(step.gradients, variables_of(step), options_);
  const Tensor rate = learning_rate();
  for (const std::size_t index : step.indices) {
    const Variable& variable = model_variables_[index];
    const std::optional<double> decay = decay_of(variable);
    if (!decay || !decays(variable)) continue;
    const Tensor value = variable.value();
    variable.assign(value - value * *decay * ops::cast(rate, value.dtype()));
  }
  begin_step(rate);
  for (std::size_t k = 0; k < step.indices.size(); ++k) {
    const Variable& variable = model_variables_[step.indices[k]];
    update_step(gradients[k], variable, step.indices[k], ops::cast(rate, variable.dtype()));
  }
  for (const RowsBefore& each : before)
    each.variable.assign(ops::where(each.touched, each.variable.value(), each.value));
  touched_rows_.clear();
}

void Optimizer::accumulate(const Step& step) {
  const std::int64_t num_steps = *options_.gradient_accumulation_steps;
  std::vector<Tensor> sums;
  sums.reserve(step.indices.size());
  for (std::size_t k = 0; k < step.indices.size(); ++k)
    sums.push_back(step.gradients[k] + accumulators_[step.indices[k]]);
  if (Trace::current() != nullptr) {
    accumulate_traced(step, sums);
    return;
  }
  if (!ends_period(iteration_, num_steps).item<bool>()) {
    for (std::size_t k = 0; k < step.indices.size(); ++k) accumulators_[step.indices[k]].assign(sums[k]);
    return;
  }
  for (Tensor& sum : sums) sum = sum / static_cast<double>(num_steps);
  update({sums, step.indices});
  for (const Variable& accumulator : accumulators_)
    accumulator.assign(Tensor::zeros(accumulator.shape(), accumulator.dtype()));
}

// The update is traced once; in a step that only accumulates, assigned variables keep their old values.
void Optimizer::accumulate_traced(const Step& step, const std::vector<Tensor>& sums) {
  const std::int64_t num_steps = *options_.gradient_accumulation_steps;
  const Tensor is_update = ends_period(iteration_, num_steps);
  std::vector<Variable> touched = slots_;
  for (const std::size_t index : step.indices) touched.push_back(model_variables_[index]);
  std::vector<Tensor> before;
  before.reserve(touched.size());
  for (const Variable& variable : touched) before.push_back(variable.value());
  std::vector<Tensor> means;
  means.reserve(sums.size());
  for (const Tensor& sum : sums) means.push_back(sum / static_cast<double>(num_steps));
  update({means, step.indices});
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const Tensor after = touched[i].value();
    if (after.value() != before[i].value()) touched[i].assign(ops::where(is_update, after, before[i]));
  }
  for (std::size_t k = 0; k < step.indices.size(); ++k)
    accumulators_[step.indices[k]].assign(
        ops::where(is_update, Tensor::zeros(sums[k].shape(), sums[k].dtype()), sums[k]));
}

void Optimizer::update_averages() {
  const Tensor count = iterations();
  const Tensor momentum = ops::cast(ops::not_equal(count, 0), rate_dtype()) * options_.ema_momentum;
  Tensor overwrites;
  if (options_.ema_overwrite_frequency) overwrites = ends_period(count, *options_.ema_overwrite_frequency);
  for (std::size_t i = 0; i < model_variables_.size(); ++i) {
    const Variable& variable = model_variables_[i];
    const Tensor value = variable.value();
    const Tensor of_average = ops::cast(momentum, value.dtype());
    const Tensor average = of_average * averages_[i] + (1 - of_average) * value;
    averages_[i].assign(average);
    if (overwrites.defined()) variable.assign(ops::where(overwrites, average, value));
  }
}

Tensor Optimizer::scale_loss(const Tensor& loss) const {
  return options_.loss_scale_factor ? loss * *options_.loss_scale_factor : loss;
}

void Optimizer::exclude_from_weight_decay(WeightDecayExclusion exclusion) {
  if (built_)
    fail(ErrorCode::kFailedPrecondition,
         "[{}] exclude_from_weight_decay must be called before the optimizer is built", name_);
  names_not_decayed_ = std::make_shared<NamePatterns>(name_, "var_names", exclusion.var_names);
  not_decayed_ = std::move(exclusion.var_list);
}

bool Optimizer::decays(const Variable& variable) const {
  if (detail::is_pool(variable)) {
    const std::vector<Variable>& tables = detail::parts_of(variable)->tables;
    const bool first_decays = decays(tables[0]);
    for (const Variable& table : tables)
      if (decays(table) != first_decays)
        fail(ErrorCode::kUnimplemented, {.argument = "sharding"},
             "[{}] exclude_from_weight_decay names \"{}\" or \"{}\", and not both: tables with sharding = "
             "\"table_wise\" and one dim are updated together; give one of them sharding = \"row_wise\"",
             name_, tables[0].path(), table.path());
    return first_decays && std::ranges::find(not_decayed_, variable) == not_decayed_.end();
  }
  return std::ranges::find(not_decayed_, variable) == not_decayed_.end() &&
         (names_not_decayed_ == nullptr || !names_not_decayed_->match_in(variable.name()));
}

void Optimizer::finalize_variable_values(std::span<const Variable> variables) const {
  if (!options_.use_ema || !built_) return;
  std::vector<std::size_t> indices;
  for (const Variable& variable : variables) indices.push_back(index_of(variable));
  // Before the first update the averages are zeros.
  if (Trace::current() == nullptr && iteration_.read().at(0) == 0) return;
  const EagerUpdate others_wait(variables);
  for (const std::size_t index : indices) model_variables_[index].assign(averages_[index].value());
}

void Optimizer::require_averages() const {
  if (!keeps_averages())
    fail(ErrorCode::kFailedPrecondition,
         "[{}] the optimizer keeps no moving averages: make it with use_ema = true", name_);
}

void Optimizer::load_averages() const {
  require_averages();
  const detail::VariableValues read_together(model_variables_);
  const detail::ValuesScope scope(read_together);
  for (std::size_t i = 0; i < averages_.size(); ++i) averages_[i].load(model_variables_[i].read());
}

void Optimizer::swap_averages() const {
  require_averages();
  std::vector<Variable> both = averages_;
  both.insert(both.end(), model_variables_.begin(), model_variables_.end());
  const detail::VariableValues read_together(both);
  const detail::ValuesScope scope(read_together);
  const EagerUpdate others_wait(model_variables_);
  for (std::size_t i = 0; i < averages_.size(); ++i) {
    const ir::Literal average = averages_[i].read();
    averages_[i].load(model_variables_[i].read());
    model_variables_[i].load(average);
  }
}

namespace {

using SlotLists = std::vector<std::pair<std::string, std::vector<Variable>>>;

using SlotNames = std::vector<std::string>;

/// The names of the group that has a slot; null for a variable of the optimizer's own.
const SlotNames* group_of(const Variable& slot, std::span<const SlotNames> groups, const SlotLists& lists) {
  const auto has_slot = [&](const std::string& name) {
    return std::ranges::any_of(lists, [&](const auto& known) {
      return known.first == name && std::ranges::find(known.second, slot) != known.second.end();
    });
  };
  const auto found = std::ranges::find_if(
      groups, [&](const SlotNames& group) { return std::ranges::any_of(group, has_slot); });
  return found == groups.end() ? nullptr : &*found;
}

/// The slots in the order that they would have without pools, with tables in place of pools.
std::vector<Variable> slots_by_table(std::span<const Variable> slots, const SlotLists& lists,
                                     std::span<const SlotNames> groups, std::span<const Variable> variables) {
  const std::vector<detail::ListedVariable> order = detail::order_with_tables(variables);
  std::unordered_set<Variable::Id> seen;
  std::vector<Variable> all;
  for (const Variable& slot : slots) {
    if (seen.contains(slot.id())) continue;
    const SlotNames* const group = group_of(slot, groups, lists);
    if (group == nullptr) {
      all.push_back(slot);
      continue;
    }
    for (const detail::ListedVariable& one : order)
      for (const std::string& name : *group)
        for (const auto& [known, list] : lists)
          if (known == name && list[one.index].defined()) {
            seen.insert(list[one.index].id());
            all.push_back(one.of(list));
          }
  }
  return all;
}

}  // namespace

std::vector<Variable> Optimizer::variables() const {
  std::vector<Variable> all = {iteration_};
  if (learning_rate_.defined()) all.push_back(learning_rate_);
  for (const auto* list : {&averages_, &accumulators_}) {
    const std::vector<Variable> listed = detail::with_tables(*list);
    all.insert(all.end(), listed.begin(), listed.end());
  }
  const bool has_pools = std::ranges::any_of(model_variables_, detail::is_pool);
  std::vector<SlotNames> groups;
  if (has_pools)
    for (const SlotGroup& group : slot_groups()) groups.push_back(group.names);
  const std::vector<Variable> listed =
      has_pools ? slots_by_table(slots_, slots_by_name_, groups, model_variables_) : slots_;
  all.insert(all.end(), listed.begin(), listed.end());
  return all;
}

Tensor Optimizer::iterations() const {
  const Tensor count = iteration_.value();
  return options_.gradient_accumulation_steps
             ? count_op("divide", &ops::divide, count, *options_.gradient_accumulation_steps)
             : count;
}

Tensor Optimizer::learning_rate() const {
  if (learning_rate_.defined()) return learning_rate_.value();
  const Tensor rate = (*options_.learning_rate.schedule())(iteration_.value());
  if (rate.rank() != 0)
    invalid_argument("[{}] the learning rate must be a scalar; the schedule gives {}", name_,
                     type_str(rate.type()));
  return rate.is_weak() ? rate.strong_scalar(rate_dtype()) : ops::cast(rate, rate_dtype());
}

void Optimizer::set_learning_rate(double value) const {
  if (!learning_rate_.defined())
    fail(ErrorCode::kFailedPrecondition,
         "[{}] the learning rate follows a schedule and cannot be set; make the optimizer with a number to "
         "set it later",
         name_);
  check_learning_rate(value);
  learning_rate_.load(ir::Literal::scalar(learning_rate_.dtype(), value));
}

void Optimizer::check_learning_rate(double value) const {
  if (!std::isfinite(value) || value < 0)
    invalid_argument({.argument = "learning_rate"},
                     "[{}] learning_rate must be finite and not negative; got learning_rate = {}", name_,
                     value);
}

void Optimizer::forget_variables() {
  built_ = false;
  model_variables_.clear();
  averages_.clear();
  accumulators_.clear();
  slots_.clear();
  slots_by_name_.clear();
}

const Variable& Optimizer::slot(const StringArgument& name, std::size_t index) const {
  for (const auto& [known, list] : slots_by_name_)
    if (known == name) return list[index];
  invalid_argument("[{}] slot_groups() names no slot \"{}\"", name_, name);
}

}  // namespace cornu::inline v0::keras
