#include "cornu/keras/layer/layer.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/activations/remat_activations_support.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layer/build_guard.h"
#include "cornu/keras/layer/layer_parts_support.h"
#include "cornu/keras/layer/remat_scope_support.h"
#include "cornu/keras/layer/traced_types.h"
#include "cornu/keras/layer/types_only.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/autocast.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/table_pool.h"

namespace cornu::inline v0::keras {
namespace {

/// Runs `f`; adds this layer's name to an error that has none.
template <typename F>
auto in_layer(const std::string& name, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    throw error.with({.layer = name});
  }
}

/// The context of the layer call on this thread; null outside of any call.
thread_local const CallContext* current_context = nullptr;

class ContextScope {
 public:
  /// Null: the context outside of any call.
  explicit ContextScope(const CallContext* context) : before_(std::exchange(current_context, context)) {}
  ~ContextScope() { current_context = before_; }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  const CallContext* before_;
};

/// True inside a TypesOnlyScope: losses and states of such calls are dropped like their results.
thread_local bool is_dry_run = false;
/// Undoes the builds of a types-only build on this thread; null outside of one.
thread_local BuildGuard* types_only_builds = nullptr;

[[noreturn]] void throw_not_one_input(std::size_t got) {
  invalid_argument(
      "expected one input; got {} (a class of layers that take several overrides build_for() and call_for())",
      got);
}

}  // namespace

/// Sets the layer's path at its first use to that of the enclosing layers, and makes it the current scope.
class Layer::PathScope {
 public:
  explicit PathScope(Layer& layer) : scope_(NameScope::absolute(open(layer))) {}

 private:
  static std::string open(Layer& layer) {
    if (!layer.parent_path_.has_value()) layer.parent_path_ = NameScope::current();
    return layer.path();
  }
  NameScope scope_;
};

/// While it lives, weights are read in the layer's compute dtype, by Keras's rule: a layer with a single
/// dtype does not cast, unless a layer with a mixed policy encloses it.
class Layer::WeightsScope {
 public:
  explicit WeightsScope(const Layer& layer) {
    if (AutocastScope::current() == nullptr && layer.compute_dtype() == layer.variable_dtype()) return;
    if (layer.autocast_)
      scope_.emplace(layer.compute_dtype(),
                     [](const Tensor& value, DType dtype) { return ops::cast(value, dtype); });
    else
      scope_.emplace();
  }

 private:
  std::optional<AutocastScope> scope_;
};

void InputSpec::check(const Dims& shape_of_input, const std::string& what) const {
  const auto rank = static_cast<std::int64_t>(shape_of_input.size());
  const auto demand_rank = [&](const char* relation, std::int64_t wanted) {
    invalid_argument("expected {} to have {}{} dimensions; got an input of shape {}", what, relation, wanted,
                     shape_with_none_str(shape_of_input));
  };
  if (ndim.has_value() && rank != *ndim && !allow_last_axis_squeeze) demand_rank("", *ndim);
  if (min_ndim.has_value() && rank < *min_ndim) demand_rank("at least ", *min_ndim);
  if (max_ndim.has_value() && rank > *max_ndim) demand_rank("at most ", *max_ndim);
  for (const auto& [axis, extent] : axes) {
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) demand_rank("at least ", axis < 0 ? -axis : axis + 1);
    const std::int64_t got = shape_of_input[static_cast<std::size_t>(at)];
    if (got != kUnknown && got != extent)
      invalid_argument("expected axis {} of {} to be {}; got an input of shape {}", axis, what, extent,
                       shape_with_none_str(shape_of_input));
  }
  if (shape.has_value()) check_shape(shape_of_input, what);
}

void InputSpec::check(const TensorType& type, const std::string& what) const {
  if (dtype.has_value() && type.dtype != *dtype)
    invalid_argument("expected the dtype of {} to be {}; got {}", what, ir::stablehlo_name(*dtype),
                     ir::stablehlo_name(type.dtype));
  check(type.dims, what);
}

void InputSpec::check_shape(Dims got, const std::string& what) const {
  Dims wanted = *shape;
  if (allow_last_axis_squeeze && got.size() != wanted.size()) {
    Dims& longer = got.size() > wanted.size() ? got : wanted;
    if (longer.back() == 1) longer.pop_back();
  }
  const bool fits =
      std::equal(wanted.begin(), wanted.end(), got.begin(), got.end(),
                 [](std::int64_t a, std::int64_t b) { return a == b || a == kUnknown || b == kUnknown; });
  if (!fits)
    invalid_argument("expected the shape of {} to be {}; got {}", what, shape_with_none_str(*shape),
                     shape_with_none_str(got));
}

Layer::Layer(LayerSettings settings)
    : class_name_(std::move(settings.class_name)),
      name_(settings.name.empty() ? unique_name(snake_case(class_name_)) : std::move(settings.name)),
      trainable_(settings.trainable),
      dtype_policy_(settings.dtype.value_or(keras::dtype_policy())),
      input_shape_option_(std::move(settings.input_shape)),
      parts_(std::make_unique<Parts>()) {
  if (settings.described != nullptr)
    DescriptionAccess::set(*this, {class_name_, std::move(settings.described)});
  check_name(snake_case(class_name_), name_);
  if (!ir::is_float(compute_dtype()))
    option_error("dtype", "must be a floating-point one", dtype_policy_.name());
  if (input_shape_option_.has_value() && !is_open_shape(*input_shape_option_))
    option_error("input_shape", "must hold extents of 0 or more, or kUnknown",
                 ir::shape_str(*input_shape_option_));
  check_regularizer("activity_regularizer", settings.activity_regularizer);
  activity_regularizer_ = settings.activity_regularizer.get();
}
Layer::Layer(StringArgument class_name, StringArgument name)
    : Layer(LayerSettings{.class_name = std::move(class_name), .name = std::move(name)}) {}
Layer::~Layer() = default;

void Layer::set_input_spec(InputSpec spec) { parts_->input_specs = {std::move(spec)}; }
void Layer::set_input_specs(std::vector<InputSpec> specs) { parts_->input_specs = std::move(specs); }

std::vector<std::string> Layer::input_names() const { return {}; }
std::vector<std::shared_ptr<Layer>> Layer::sublayers() const { return tracked_; }

const std::vector<SeedGenerator>& Layer::seed_generators() const { return parts_->seed_generators; }

void Layer::hold_as(const Layer* layer, const std::string& attribute, bool in_list) {
  parts_->held_as[layer] = {attribute, in_list};
}

KerasTensor Layer::operator()(std::initializer_list<KerasTensor> inputs, const CallArguments& arguments) {
  return (*this)(std::vector<KerasTensor>(inputs), arguments);
}
std::vector<KerasTensor> Layer::call_many(std::initializer_list<KerasTensor> inputs,
                                          const CallArguments& arguments) {
  return call_many(std::span(inputs.begin(), inputs.size()), arguments);
}

std::string Layer::path() const {
  if (!parent_path_.has_value() || parent_path_->empty()) return name_;
  return *parent_path_ + "/" + name_;
}

void Layer::set_trainable(bool trainable) {
  trainable_ = trainable;
  for (const Variable& variable : own_trainable_) variable.set_trainable(trainable);
  for (const Variable& table : detail::with_tables(own_trainable_)) table.set_trainable(trainable);
  for (const auto& layer : sublayers()) layer->set_trainable(trainable);
}

bool Layer::contains(const Layer& other) const {
  if (this == &other) return true;
  const std::vector<std::shared_ptr<Layer>> inside = sublayers();
  return std::any_of(inside.begin(), inside.end(), [&](const auto& layer) { return layer->contains(other); });
}

void Layer::track_layer(std::shared_ptr<Layer> layer) {
  if (layer == nullptr) invalid_argument({.layer = name_}, "[track] the layer is empty");
  if (layer->contains(*this))
    invalid_argument({.layer = layer->name()}, "[track] layer \"{}\" cannot be inside itself", name_);
  if (std::find(tracked_.begin(), tracked_.end(), layer) == tracked_.end())
    tracked_.push_back(std::move(layer));
}

HeldAs Layer::held_as(const Layer& inside) const {
  const auto found = parts_->held_as.find(&inside);
  return found == parts_->held_as.end() ? HeldAs() : found->second;
}

void Layer::track_variable(const Variable& variable) {
  if (!variable.defined()) invalid_argument({.layer = name_}, "[track] the variable is undefined");
  std::vector<Variable>& own = variable.trainable() ? own_trainable_ : own_non_trainable_;
  if (std::find(own.begin(), own.end(), variable) == own.end()) own.push_back(variable);
}

Config Layer::get_config() const {
  return in_layer(name_, [&] {
    Config state = Config::dict(
        {{"name", name_}, {"trainable", trainable_}, {"dtype", saving::write_value(dtype_policy_, {})}});
    add_to_config(state);
    return described_config("keras.layers", "layer", name_, state);
  });
}

// Building.

void Layer::build(const Dims& input_shape) { (void)input_shape; }

void Layer::build_for(std::span<const Dims> input_shapes) {
  if (input_shapes.size() != 1) throw_not_one_input(input_shapes.size());
  build(input_shapes[0]);
}

void Layer::build_once(const Dims& input_shape) { build_once_for({&input_shape, 1}); }

void Layer::build_once_for(std::span<const Dims> input_shapes) {
  std::vector<TensorType> types;
  for (const Dims& shape : input_shapes) types.push_back({DType::kF32, shape});
  build_for_types(types);
}

void Layer::build_for_types(std::span<const TensorType> inputs) {
  if (built_ || building_) return;
  BuildGuard guard(*this);
  building_ = true;
  try {
    in_layer(name_, [&] {
      const PathScope scope(*this);
      build_types_.assign(inputs.begin(), inputs.end());
      build_for(shapes_of(inputs));
      settle_undone_layers();
    });
  } catch (...) {
    building_ = false;
    throw;
  }
  building_ = false;
  built_ = true;
  if (types_only_builds != nullptr) {
    guard.leave_to(*types_only_builds);
  } else {
    guard.keep();
  }
}

void Layer::settle_undone_layers() {
  for (const std::shared_ptr<Layer>& layer : std::exchange(parts_->undone, {})) {
    if (layer.use_count() == 1)
      parts_->held_as.erase(layer.get());
    else if (std::find(tracked_.begin(), tracked_.end(), layer) == tracked_.end())
      tracked_.push_back(layer);
  }
}

void Layer::restore(const UnbuiltLayer& before) {
  own_trainable_.resize(before.num_trainable);
  own_non_trainable_.resize(before.num_non_trainable);
  parts_->regularizers.resize(before.num_regularizers);
  const auto tracked_since = tracked_.begin() + static_cast<std::ptrdiff_t>(before.num_tracked);
  parts_->undone.insert(parts_->undone.end(), tracked_since, tracked_.end());
  tracked_.erase(tracked_since, tracked_.end());
  const auto generated_since =
      parts_->seed_generators.begin() + static_cast<std::ptrdiff_t>(before.num_seed_generators);
  parts_->seed_generators.erase(generated_since, parts_->seed_generators.end());
  parent_path_ = before.parent_path;
  built_ = false;
  unbuild();
}

BuildGuard::BuildGuard(Layer& layer) { add(layer); }

void BuildGuard::add(Layer& layer) {
  if (!layer.built_ && !layer.building_) {
    unbuilt_.push_back({&layer, layer.weak_from_this().lock(), layer.own_trainable_.size(),
                        layer.own_non_trainable_.size(), layer.parts_->regularizers.size(),
                        layer.parts_->seed_generators.size(), layer.tracked_.size(), layer.parent_path_});
  }
  for (const auto& inside : layer.sublayers()) add(*inside);
}

void BuildGuard::leave_to(BuildGuard& outer) {
  for (UnbuiltLayer& before : unbuilt_)
    if (before.owner != nullptr) outer.unbuilt_.push_back(std::move(before));
  unbuilt_.clear();
}

BuildGuard::~BuildGuard() {
  for (auto before = unbuilt_.rbegin(); before != unbuilt_.rend(); ++before) before->layer->restore(*before);
}

// Calling.

Tensor Layer::call(const Tensor&, const CallContext&) {
  fail(ErrorCode::kUnimplemented, "class {} overrides neither call() nor call_for()", class_name_);
}

std::vector<Tensor> Layer::call_for(std::span<const Tensor> inputs, const CallContext& context) {
  if (inputs.size() != 1) throw_not_one_input(inputs.size());
  return {call(inputs[0], context)};
}

Tensor Layer::operator()(const Tensor& input, const CallArguments& arguments) {
  std::vector<Tensor> outputs = call_many(std::span(&input, 1), arguments);
  if (outputs.size() != 1)
    invalid_argument({.layer = name_}, "the layer has {} outputs: use call_many()", outputs.size());
  return std::move(outputs[0]);
}

Tensor Layer::operator()(const Tensors& inputs, const CallArguments& arguments) {
  Tensors ordered = inputs;
  if (inputs.is_named()) {
    const std::vector<std::string> names = input_names();
    if (names.empty())
      invalid_argument({.layer = name_}, "the layer's inputs have no names: give them by position");
    ordered = inputs.ordered(names, fmt::format("the inputs of \"{}\"", name_), num_optional_inputs());
  }
  std::vector<Tensor> outputs = call_many(ordered, arguments);
  if (outputs.size() != 1)
    invalid_argument({.layer = name_}, "the layer has {} outputs: use call_many()", outputs.size());
  return std::move(outputs[0]);
}

TensorType Layer::cast_type(TensorType type) const {
  if (autocast_ && ir::is_float(type.dtype)) type.dtype = compute_dtype();
  return type;
}

std::vector<Tensor> Layer::prepare_inputs(std::span<const Tensor> inputs, const Tensor& mask) const {
  std::vector<Tensor> prepared;
  for (const Tensor& input : inputs) {
    const DType wanted = cast_type(input.type()).dtype;
    const Tensor* carried = input.mask();
    prepared.push_back(input.dtype() == wanted ? input : ops::cast(input, wanted));
    if (carried != nullptr && prepared.back().mask() == nullptr)
      prepared.back() = prepared.back().with_mask(*carried);
  }
  if (mask.defined() && !prepared.empty()) prepared[0] = prepared[0].with_mask(mask);
  return prepared;
}

void Layer::check_inputs(std::span<const TensorType> inputs) const {
  if (parts_->input_specs.empty()) return;
  if (parts_->input_specs.size() > 1 && parts_->input_specs.size() != inputs.size())
    invalid_argument({.layer = name_}, "[{}] expected {} inputs; got {}", snake_case(class_name_),
                     parts_->input_specs.size(), inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    try {
      parts_->input_specs[parts_->input_specs.size() > 1 ? i : 0].check(
          inputs[i], inputs.size() > 1 ? fmt::format("input {}", i) : "the input");
    } catch (const Error& error) {
      throw error.with({.op = snake_case(class_name_), .layer = name_});
    }
  }
}

std::vector<Tensor> Layer::call_many(const TensorList& list, const CallArguments& arguments) {
  const std::span<const Tensor> inputs = list.span();
  std::vector<TensorType> types;
  for (const Tensor& input : inputs) {
    if (!input.defined()) invalid_argument({.layer = name_}, "an input is an undefined tensor");
    types.push_back(cast_type(input.type()));
    if (!types.back().dims.empty()) types.back().dims[0] = kUnknown;
  }
  check_inputs(types);
  build_for_types(types);
  if (current_context == nullptr) clear_losses();
  CallContext context =
      current_context == nullptr ? CallContext{.training = default_training()} : *current_context;
  if (arguments.training.has_value()) context.training = *arguments.training;
  if (arguments.random_counter.defined()) context.random_counter = arguments.random_counter;
  if (arguments.rows.defined()) context.rows = arguments.rows;
  context.is_given_mask = arguments.mask.defined();
  context.use_causal_mask = arguments.use_causal_mask;
  context.return_attention_scores = arguments.return_attention_scores;
  context.reverse = arguments.reverse;
  const ContextScope context_scope(&context);
  const PathScope path_scope(*this);
  return in_layer(name_, [&] {
    std::optional<ir::LocationScope> location;
    if (Trace* trace = Trace::current()) location.emplace(trace->builder(), name_);
    const std::vector<Tensor> prepared = prepare_inputs(inputs, arguments.mask);
    const WeightsScope weights(*this);
    const RematScopeOptions* const remat = parts_->remat.get();
    const cornu::detail::RematRegion region;
    const activations::RematActivations activations(remat != nullptr && *remat->mode == "activations");
    std::vector<Tensor> outputs = call_for(prepared, context);
    if (remat != nullptr && is_computed_again(*remat, name_, outputs)) outputs = region.close(outputs);
    if (activity_regularizer_ != nullptr && regularizes_activity_) add_activity_losses(outputs, context);
    attach_masks(prepared, outputs);
    return outputs;
  });
}

std::vector<Tensor> Layer::call_unregularized(Layer& layer, std::span<const Tensor> inputs,
                                              const CallArguments& arguments) {
  struct Switch {
    explicit Switch(Layer& of)
        : layer(of),
          regularized(std::exchange(of.regularizes_activity_, false)),
          had_warned(std::exchange(of.warned_of_mask_, true)) {}
    ~Switch() {
      layer.regularizes_activity_ = regularized;
      layer.warned_of_mask_ = had_warned;
    }
    Switch(const Switch&) = delete;
    Switch& operator=(const Switch&) = delete;
    Layer& layer;
    bool regularized, had_warned;
  };
  const Switch off(layer);
  return layer.call_many(inputs, arguments);
}

std::vector<TensorType> Layer::compute_call_types(std::span<const TensorType> inputs,
                                                  const CallArguments&) const {
  return compute_output_types(inputs);
}

std::vector<TensorType> Layer::call_types(std::span<const TensorType> inputs,
                                          const CallArguments& arguments) {
  std::vector<TensorType> types;
  for (const TensorType& input : inputs) types.push_back(cast_type(input));
  check_inputs(types);
  build_for_types(types);
  const PathScope path_scope(*this);
  return in_layer(name_, [&] {
    std::vector<TensorType> outputs;
    try {
      outputs = compute_call_types(types, arguments);
    } catch (const NoTypeRule&) {
      outputs = trace_types(types);
    }
    for (const TensorType& output : outputs) check_open_type(output);
    return outputs;
  });
}

void Layer::add_activity_losses(std::span<const Tensor> outputs, const CallContext& context) {
  for (const Tensor& output : outputs) {
    if (output.rank() == 0) {
      add_loss((*activity_regularizer_)(output));
      continue;
    }
    // A mean over the rows, without padding rows.
    const bool is_padded = context.rows.defined() && context.rows.valid.shape()[0] == output.shape()[0];
    if (!is_padded)
      context.rows.require_exact(
          fmt::format("the regularized activity of layer \"{}\" has rows of its own", name_));
    const Tensor rows =
        is_padded ? context.rows.num_counted() : Tensor(static_cast<double>(output.shape()[0]));
    Tensor loss = (*activity_regularizer_)(is_padded ? context.rows.zero_padding(output) : output);
    // Losses added by layers are divided by the number of replicas; here the rows are those of all replicas
    // already.
    if (is_padded && context.rows.num_valid_of_all.defined())
      loss = loss * static_cast<double>(detail::current_replica_trace()->num_replicas);
    add_loss(ops::divide_no_nan(loss, rows.is_weak() ? rows : ops::cast(rows, loss.dtype())));
  }
}

void Layer::attach_masks(std::span<const Tensor> inputs, std::vector<Tensor>& outputs) {
  const bool has_mask =
      std::any_of(inputs.begin(), inputs.end(), [](const Tensor& input) { return input.mask() != nullptr; });
  if (!supports_masking_) {
    const bool passes_on = std::any_of(outputs.begin(), outputs.end(),
                                       [](const Tensor& output) { return output.mask() != nullptr; });
    if (!has_mask || passes_on || warned_of_mask_) return;
    warned_of_mask_ = true;
    log_warning(
        "[{}] got an input with a mask, which the layer does not support: the mask ends here; in layer "
        "\"{}\"",
        snake_case(class_name_), printable(name_));
    return;
  }
  if (std::all_of(outputs.begin(), outputs.end(),
                  [](const Tensor& output) { return output.mask() != nullptr; }))
    return;
  const std::vector<Tensor> masks = compute_mask(inputs, outputs);
  for (std::size_t i = 0; i < std::min(masks.size(), outputs.size()); ++i)
    if (masks[i].defined() && outputs[i].mask() == nullptr) outputs[i] = outputs[i].with_mask(masks[i]);
}

void Layer::add_loss(const Tensor& loss) {
  if (loss.rank() != 0)
    invalid_argument({.layer = name_}, "[add_loss] expected a scalar; got {}", type_str(loss.type()));
  if (!is_dry_run) added_losses_.push_back(loss);
}

std::vector<Tensor> Layer::compute_mask(std::span<const Tensor> inputs,
                                        std::span<const Tensor> outputs) const {
  std::vector<Tensor> masks(outputs.size());
  for (std::size_t i = 0; i < std::min(inputs.size(), masks.size()); ++i)
    if (inputs[i].mask() != nullptr) masks[i] = *inputs[i].mask();
  return masks;
}

// Types of outputs.

bool Layer::sees_types_only() { return is_dry_run; }
bool Layer::builds_for_types_only() const { return building_ && types_only_builds != nullptr; }

TypesOnlyScope::TypesOnlyScope() : before_(std::exchange(is_dry_run, true)) {}
TypesOnlyScope::~TypesOnlyScope() { is_dry_run = before_; }

std::vector<TensorType> Layer::trace_call(std::span<const TensorType> inputs) {
  return in_layer(name_, [&] {
    const CallContext context;
    const ContextScope outside(&context);
    const TypesOnlyScope types_only;
    Trace trace("output_shape");
    const Trace::Scope scope(trace);
    std::vector<Tensor> arguments;
    // A scalar, such as ops::mean(x), has no rows; in a trace for types it does not matter.
    const bool has_rows =
        std::all_of(inputs.begin(), inputs.end(), [](const TensorType& type) { return type.rank() > 0; });
    for (const TensorType& type : inputs)
      arguments.push_back(has_rows ? trace.add_rows_argument(type) : trace.add_parameter(type));
    std::vector<TensorType> types;
    const WeightsScope weights(*this);
    for (const Tensor& output : call_for(arguments, context)) types.push_back(output.type());
    return types;
  });
}

const TensorType& Layer::the_output(std::span<const TensorType> outputs) const {
  if (outputs.size() != 1)
    invalid_argument({.layer = name_}, "the layer has {} outputs, not one", outputs.size());
  return outputs[0];
}

bool Layer::shape_is_rule() const {
  return type_rule_ != TypeRule::kNone && type_rule_ != TypeRule::kOverridden;
}

std::optional<TensorType> Layer::type_by_rule(std::span<const TensorType> inputs) const {
  if (!shape_is_rule() || inputs.size() != 1) return std::nullopt;
  const DType input = cast_type(inputs[0]).dtype;
  if (type_rule_ == TypeRule::kComputed && input != compute_dtype()) return std::nullopt;
  return TensorType{type_rule_ == TypeRule::kKept ? input : compute_dtype(),
                    in_layer(name_, [&] { return compute_output_shape(inputs[0].dims); })};
}

std::vector<TensorType> Layer::trace_types(std::span<const TensorType> inputs) {
  return in_layer(name_, [&] {
    return traced_types(inputs, [&](std::span<const TensorType> closed) { return trace_call(closed); });
  });
}

std::vector<TensorType> Layer::trace_unbuilt_types(std::span<const TensorType> inputs) {
  check_inputs(inputs);
  if (built_ || building_) return trace_types(inputs);
  BuildGuard undone(*this);
  struct Scope {
    explicit Scope(BuildGuard& guard) : before(std::exchange(types_only_builds, &guard)) {}
    ~Scope() { types_only_builds = before; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    BuildGuard* before;
  };
  const Scope types_only(undone);
  build_for_types(inputs);
  return trace_types(inputs);
}

std::vector<TensorType> Layer::compute_output_types(std::span<const TensorType> inputs) {
  std::vector<TensorType> types;
  for (const TensorType& input : inputs) types.push_back(cast_type(input));
  try {
    return std::as_const(*this).compute_output_types(types);
  } catch (const NoTypeRule&) {
    return trace_unbuilt_types(types);
  }
}

std::vector<TensorType> Layer::compute_output_types(std::span<const TensorType> inputs) const {
  check_inputs(inputs);
  if (const std::optional<TensorType> ruled = type_by_rule(inputs)) return {*ruled};
  throw NoTypeRule(class_name_);
}

Dims Layer::compute_output_shape(const Dims& input_shape) {
  try {
    return std::as_const(*this).compute_output_shape(input_shape);
  } catch (const NoTypeRule&) {
    const TensorType input{DType::kF32, input_shape};
    return the_output(compute_output_types({&input, 1})).dims;
  }
}

Dims Layer::compute_output_shape(const Dims& input_shape) const {
  if (shape_is_rule())  // else it would call this function again
    fail(ErrorCode::kUnimplemented,
         "class {} does not override compute_output_shape(), on which its type rule (set_type_rule) relies: "
         "TypeRule::kOverridden is for classes that override compute_output_types()",
         class_name_);
  const TensorType input{DType::kF32, input_shape};
  return the_output(compute_output_types({&input, 1})).dims;
}

}  // namespace cornu::inline v0::keras
