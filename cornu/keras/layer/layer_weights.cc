// A layer's weights, random states and losses.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layer/layer_parts_support.h"
#include "cornu/keras/layer/variable_initializer.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/table_pool.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/trace/variable_storage.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {
namespace {

/// Variables in the order of their first occurrence. A variable shared by several layers counts once.
class DistinctVariables {
 public:
  void add(const std::vector<Variable>& more) {
    for (const Variable& variable : more)
      if (known_.insert(variable.id()).second) all_.push_back(variable);
  }
  std::vector<Variable> take() { return std::move(all_); }

 private:
  std::unordered_set<Variable::Id> known_;
  std::vector<Variable> all_;
};

/// Runs the check of an option in a constructor, with the class's tag; errors name the layer.
template <typename F>
void check_layer_option(const Layer& layer, const char* option, F&& check) {
  try {
    check(snake_case(layer.class_name()));
  } catch (const Error& error) {
    throw error.with({.argument = option, .layer = layer.name()});
  }
}

}  // namespace

std::vector<Variable> Layer::weights() const {
  DistinctVariables all;
  all.add(detail::with_tables(own_trainable_));
  all.add(own_non_trainable_);
  for (const auto& layer : sublayers()) all.add(layer->weights());
  return all.take();
}

std::vector<Variable> Layer::own_weights() const {
  DistinctVariables all;
  all.add(detail::with_tables(own_trainable_));
  all.add(own_non_trainable_);
  return all.take();
}

std::vector<Variable> Layer::trainable_weights() const {
  if (!trainable_) return {};
  std::vector<Variable> all = weights();
  std::erase_if(all, [](const Variable& variable) { return !variable.trainable(); });
  DistinctVariables pools;
  const auto add_pools = [&](const auto& self, const Layer& layer) -> void {
    for (const Variable& variable : layer.own_trainable_)
      if (detail::is_pool(variable)) pools.add({variable});
    for (const auto& inside : layer.sublayers()) self(self, *inside);
  };
  if (std::ranges::any_of(all, detail::is_in_pool)) add_pools(add_pools, *this);
  return detail::with_pools(std::move(all), pools.take());
}

std::vector<Variable> Layer::non_trainable_weights() const {
  std::vector<Variable> all = weights();
  if (trainable_) std::erase_if(all, [](const Variable& variable) { return variable.trainable(); });
  return all;
}

std::vector<Variable> Layer::variables() const {
  DistinctVariables all;
  all.add(detail::with_tables(own_trainable_));
  all.add(own_non_trainable_);
  for (const SeedGenerator& generator : parts_->seed_generators) all.add({generator.counter()});
  for (const auto& layer : sublayers()) all.add(layer->variables());
  return all.take();
}

std::vector<Variable> Layer::non_trainable_variables() const {
  std::vector<Variable> all = variables();
  if (trainable_) std::erase_if(all, [](const Variable& variable) { return variable.trainable(); });
  return all;
}

Variable Layer::weight(StringViewArgument name) const {
  if (!built_)
    fail(ErrorCode::kFailedPrecondition, {.layer = name_},
         "[weight] the weights are made when the input shape is known: call build(), or the layer on data");
  std::vector<Variable> found;
  std::vector<std::string> names;
  const auto look = [&](std::span<const Variable> variables) {
    for (const Variable& variable : variables) {
      if (variable.name() == name) found.push_back(variable);
      names.push_back(variable.name());
    }
  };
  look(detail::with_tables(own_trainable_));
  look(own_non_trainable_);
  if (found.empty())
    for (const auto& layer : sublayers()) look(layer->weights());
  if (found.size() == 1) return found[0];
  if (found.size() > 1)
    invalid_argument({.argument = "name", .layer = name_},
                     "[weight] the layers inside have {} weights named \"{}\": ask the one that is meant",
                     found.size(), name);
  if (names.empty())
    invalid_argument({.argument = "name", .layer = name_}, "[weight] the layer has no weights");
  try {
    unknown_name({"weight", "name"}, name, names);
  } catch (const Error& error) {
    throw error.with({.layer = name_});
  }
}

std::int64_t Layer::count_params() const {
  const std::vector<Variable> all = weights();
  if (all.empty() && !built_) {
    fail(ErrorCode::kFailedPrecondition, {.layer = name_},
         "[count_params] the weights are made when the input shape is known: call build(), or the layer on "
         "data");
  }
  std::int64_t count = 0;
  for (const Variable& variable : all) count += variable.num_elements();
  return count;
}

std::vector<Tensor> Layer::get_weights() const {
  const std::vector<Variable> variables = weights();
  const detail::VariableValues known(variables, {.hides_other_threads = true});
  const detail::ValuesScope scope(known);
  std::vector<Tensor> values;
  values.reserve(variables.size());
  for (const Variable& variable : variables)  // a table in a file may be larger than memory: no second copy
    values.push_back(detail::storage_of(variable) != nullptr ? detail::host_value(variable)
                                                             : Tensor(variable.read()));
  return values;
}

void Layer::set_weights(const std::vector<Tensor>& values) const {
  const std::vector<Variable> variables = weights();
  if (values.size() != variables.size()) {
    invalid_argument(
        "[set_weights] layer \"{}\" has {} weights; got {}{}", name(), variables.size(), values.size(),
        built() ? "" : " (it is not built yet: give its input shape by layers::Input or build())");
  }
  std::vector<Tensor> cast;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].shape() != variables[i].type().dims)
      invalid_argument("[set_weights] weight {} (\"{}\") of layer \"{}\" is {}; got {}", i,
                       variables[i].path(), name(), type_str(variables[i].type()),
                       type_str(values[i].type()));
    cast.push_back(values[i].dtype() == variables[i].type().dtype
                       ? values[i]
                       : ops::cast(values[i], variables[i].type().dtype));
  }
  detail::VariableUpdate update;
  for (std::size_t i = 0; i < values.size(); ++i) update.set(variables[i], cast[i]);
  update.commit();
}

namespace {

/// Stores a new weight in parts where the scope's strategy has a layout for it.
void cut_by_layout(const Variable& weight) {
  const auto& replicas = detail::current_replica_set();
  if (replicas == nullptr || !replicas->cut_axis || detail::parts_of(weight) != nullptr) return;
  const std::optional<std::int64_t> axis = replicas->cut_axis(weight.path(), weight.shape());
  if (!axis.has_value()) return;
  if (weight.constraint())
    fail(ErrorCode::kUnimplemented, {.argument = "layout_map"},
         "[{}] \"{}\" has a constraint, which needs the whole weight: give it no layout", replicas->strategy,
         weight.path());
  detail::cut(weight, *axis, "the layout", detail::ValueInReplica::kWhole);
}

}  // namespace

Variable Layer::add_weight(const WeightOptions& options) {
  for (const std::int64_t extent : options.shape)
    if (extent < 0)
      invalid_argument("weight \"{}\" has the shape {}", options.name, shape_with_none_str(options.shape));
  const DType dtype = options.dtype.value_or(variable_dtype());
  VariableOptions made{.name = options.name,
                       .path = path() + "/" + options.name,
                       .trainable = options.trainable && trainable_,
                       .autocast = options.autocast,
                       .aggregation = options.aggregation,
                       .is_table = options.is_table};
  if (const auto constraint = options.constraint.get()) {
    made.constraint = [constraint](const Tensor& weight) { return (*constraint)(weight); };
  }
  const Variable variable = [&] {
    if (builds_for_types_only()) return detail::zero_variable({dtype, options.shape}, std::move(made));
    const std::shared_ptr<Initializer> initializer = options.initializer.get();
    const auto* const makes = dynamic_cast<const VariableInitializer*>(initializer.get());
    if (DeferredInitialization* const withheld = DeferredInitialization::current())
      return makes == nullptr ? withheld->weight({dtype, options.shape}, std::move(made))
                              : makes->deferred(*withheld, {dtype, options.shape}, std::move(made));
    if (makes != nullptr) return makes->variable({dtype, options.shape}, std::move(made));
    WeightLimit::claim({dtype, options.shape}, made.path);
    const ir::Literal value = [&] {
      const EagerScope outside_of_traces;  // initializers may compute tensors
      const detail::HostScope on_host;     // variables are made on the host
      return (*initializer)(options.shape, dtype);
    }();
    return Variable(value, std::move(made));
  }();
  if (options.trainable && !builds_for_types_only()) cut_by_layout(variable);
  (options.trainable ? own_trainable_ : own_non_trainable_).push_back(variable);
  if (auto regularizer = options.regularizer.get())
    parts_->regularizers.emplace_back(variable, std::move(regularizer));
  return variable;
}

void Layer::remove_weight(const Variable& weight) {
  std::erase(own_trainable_, weight);
  std::erase(own_non_trainable_, weight);
  std::erase_if(parts_->regularizers, [&](const auto& row) { return row.first == weight; });
}

void Layer::quantize(const std::shared_ptr<QuantizationConfig>&) {
  fail(ErrorCode::kUnimplemented, {.layer = name_},
       "[quantize] {} has no quantized form; Dense, EinsumDense, Embedding and ReversibleEmbedding have one",
       class_name_);
}

SeedGenerator Layer::add_seed_generator(std::optional<std::uint64_t> seed) {
  const std::string path = NameScope::path(unique_name("seed_generator") + "/seed_generator_state");
  SeedGenerator generator(seed.has_value() ? *seed : next_seed(), path);
  parts_->seed_generators.push_back(generator);
  return generator;
}

// Losses.

void Layer::clear_losses() {
  added_losses_.clear();
  for (const auto& layer : sublayers()) layer->clear_losses();
}

void Layer::append_added_losses(std::vector<Tensor>& all) const {
  all.insert(all.end(), added_losses_.begin(), added_losses_.end());
  for (const auto& layer : sublayers()) layer->append_added_losses(all);
}

void Layer::collect_regularizers(
    std::unordered_map<Variable::Id, std::shared_ptr<Regularizer>>& by_variable) const {
  for (const auto& [variable, regularizer] : parts_->regularizers)
    by_variable.emplace(variable.id(), regularizer);
  for (const auto& layer : sublayers()) layer->collect_regularizers(by_variable);
}

std::vector<Tensor> Layer::losses() const {
  std::vector<Tensor> all;
  append_added_losses(all);
  std::unordered_map<Variable::Id, std::shared_ptr<Regularizer>> regularizers;
  collect_regularizers(regularizers);
  if (regularizers.empty()) return all;
  for (const Variable& variable : trainable_weights())
    if (const auto found = regularizers.find(variable.id()); found != regularizers.end())
      all.push_back((*found->second)(variable.value()));
  return all;
}

// Checks of options.

void Layer::option_error(const std::string& message) const {
  invalid_argument({.layer = name_}, "[{}] {}", snake_case(class_name_), message);
}

void Layer::option_error(const char* option, std::string_view demand, std::string_view got) const {
  invalid_argument({.argument = option, .layer = name_}, "[{}] {} {}; got {} = {}", snake_case(class_name_),
                   option, demand, option, got);
}

void Layer::check_initializer(const char* option, const InitializerSpec& initializer) const {
  check_layer_option(*this, option, [&](const std::string& tag) {
    if (initializer.get({tag, option}) == nullptr) invalid_argument("[{}] {} is not set", tag, option);
  });
}

void Layer::check_activation(const char* option, const ActivationSpec& activation) const {
  check_layer_option(*this, option, [&](const std::string& tag) { activation.check({tag, option}); });
}

void Layer::check_regularizer(const char* option, const RegularizerSpec& regularizer) const {
  check_layer_option(*this, option, [&](const std::string& tag) { (void)regularizer.get({tag, option}); });
}

void Layer::check_constraint(const char* option, const ConstraintSpec& constraint) const {
  check_layer_option(*this, option, [&](const std::string& tag) { (void)constraint.get({tag, option}); });
}

}  // namespace cornu::inline v0::keras
