#include "cornu/keras/layer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/names.h"
#include "cornu/tensor/trace.h"

namespace cornu::keras {
namespace {

/// Runs `f`; an error that does not yet say in which layer gets this one's name.
template <typename F>
auto in_layer(const std::string& name, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find("in layer \"") != std::string::npos) throw;
    throw Error(error.code(), fmt::format("{}; in layer \"{}\"", message, name));
  }
}

/// Runs a check of a constructor's option; its error names the class and the layer.
template <typename F>
void check_option(const Layer& layer, F&& check) {
  try {
    check();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("[{}] {}; in layer \"{}\"", snake_case(layer.class_name()), error.what(), layer.name()));
  }
}

}  // namespace

std::string shape_with_none_str(const Dims& shape) {
  std::string result = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) result += ", ";
    result += shape[i] == kUnknown ? "None" : std::to_string(shape[i]);
  }
  return result + (shape.size() == 1 ? ",)" : ")");
}

Layer::Layer(std::string class_name, std::string name)
    : class_name_(std::move(class_name)), name_(name.empty() ? unique_name(snake_case(class_name_)) : std::move(name)) {}
Layer::~Layer() = default;

void Layer::set_trainable(bool trainable) {
  trainable_ = trainable;
  for (const Variable& variable : own_trainable_) variable.set_trainable(trainable);
  for (const auto& layer : sublayers()) layer->set_trainable(trainable);
}

void Layer::build(const Dims& input_shape) { (void)input_shape; }

void Layer::build_for(std::span<const Dims> input_shapes) {
  if (input_shapes.size() != 1) invalid_argument("expected one input; got {}", input_shapes.size());
  build(input_shapes[0]);
}

void Layer::build_once(const Dims& input_shape) { build_once_for({&input_shape, 1}); }

void Layer::build_once_for(std::span<const Dims> input_shapes) {
  if (built_) return;
  BuildGuard guard(*this);
  in_layer(name_, [&] {
    const NameScope scope(name_);
    build_for(input_shapes);
  });
  built_ = true;
  guard.keep();
}

BuildGuard::BuildGuard(Layer& layer) { add(layer); }

void BuildGuard::add(Layer& layer) {
  if (!layer.built_) unbuilt_.push_back({&layer, layer.own_trainable_.size(), layer.own_non_trainable_.size()});
  for (const auto& inside : layer.sublayers()) add(*inside);
}

BuildGuard::~BuildGuard() {
  for (const Unbuilt& before : unbuilt_) {
    before.layer->own_trainable_.resize(before.num_trainable);
    before.layer->own_non_trainable_.resize(before.num_non_trainable);
    before.layer->built_ = false;
    before.layer->unbuild();
  }
}

namespace {

/// The context of the layer call that runs on this thread; null outside.
thread_local const CallContext* current_context = nullptr;

class ContextScope {
 public:
  /// Null: as outside of any call.
  explicit ContextScope(const CallContext* context) : before_(std::exchange(current_context, context)) {}
  ~ContextScope() { current_context = before_; }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  const CallContext* before_;
};

}  // namespace

Tensor Layer::call(const Tensor&, const CallContext&) {
  fail(ErrorCode::kUnimplemented, "class {} overrides neither call() nor call_for()", class_name_);
}

std::vector<Tensor> Layer::call_for(std::span<const Tensor> inputs, const CallContext& context) {
  if (inputs.size() != 1) invalid_argument("expected one input; got {}", inputs.size());
  return {call(inputs[0], context)};
}

Tensor Layer::operator()(const Tensor& input, const CallArguments& arguments) {
  const std::vector<Tensor> outputs = call_many({&input, 1}, arguments);
  if (outputs.size() != 1) invalid_argument("the layer has {} outputs: use call_many(); in layer \"{}\"", outputs.size(), name_);
  return outputs[0];
}

std::vector<Tensor> Layer::call_many(std::span<const Tensor> inputs, const CallArguments& arguments) {
  std::vector<Dims> shapes;
  for (const Tensor& input : inputs) {
    shapes.push_back(input.shape());
    if (!shapes.back().empty()) shapes.back()[0] = kUnknown;
  }
  build_once_for(shapes);
  if (current_context == nullptr) clear_losses();
  CallContext context = current_context == nullptr ? CallContext{} : *current_context;
  if (arguments.training.has_value()) context.training = *arguments.training;
  if (arguments.random_counter.defined()) context.random_counter = arguments.random_counter;
  const ContextScope context_scope(&context);
  return in_layer(name_, [&] {
    std::optional<ir::LocationScope> location;
    if (Trace* trace = Trace::current()) location.emplace(trace->builder(), name_);
    return call_for(inputs, context);
  });
}

std::vector<Tensor> Layer::compute_mask(std::span<const Tensor>, std::span<const Tensor> outputs) const {
  return std::vector<Tensor>(outputs.size());
}

void Layer::add_loss(const Tensor& loss) { added_losses_.push_back(loss); }

void Layer::clear_losses() {
  added_losses_.clear();
  for (const auto& layer : sublayers()) layer->clear_losses();
}

std::vector<Tensor> Layer::losses() const {
  std::vector<Tensor> all = added_losses_;
  for (const auto& layer : sublayers())
    for (const Tensor& loss : layer->losses()) all.push_back(loss);
  return all;
}

std::vector<TensorType> Layer::call_types(std::span<const TensorType> inputs) {
  std::vector<Dims> shapes;
  for (const TensorType& input : inputs) shapes.push_back(input.dims);
  build_once_for(shapes);
  return in_layer(name_, [&] { return compute_output_types(inputs); });
}

namespace {

/// What the layer gives for symbolic inputs with `extent` for each unknown extent.
std::vector<TensorType> traced_output_types(Layer& layer, std::span<const TensorType> inputs, std::int64_t extent) {
  const ContextScope outside(nullptr);
  Trace trace("output_shape");
  const Trace::Scope scope(trace);
  std::vector<Tensor> arguments;
  for (TensorType type : inputs) {
    std::replace(type.dims.begin(), type.dims.end(), kUnknown, extent);
    arguments.push_back(trace.add_rows_argument(type));
  }
  std::vector<TensorType> types;
  for (const Tensor& output : layer.call_many(arguments)) types.push_back(output.type());
  layer.clear_losses();
  return types;
}

}  // namespace

std::vector<TensorType> Layer::compute_output_types(std::span<const TensorType> inputs) const {
  auto& self = const_cast<Layer&>(*this);  // building and tracing change no result
  std::vector<Dims> shapes;
  bool is_open = false;
  for (const TensorType& input : inputs) {
    shapes.push_back(input.dims);
    for (const std::int64_t extent : input.dims) is_open = is_open || extent == kUnknown;
  }
  self.build_once_for(shapes);
  return in_layer(name_, [&] {
    // Even and divisible by small numbers, so that pooling and splitting layers take them; what differs follows from unknown extents.
    std::vector<TensorType> types = traced_output_types(self, inputs, 48);
    if (!is_open) return types;
    const std::vector<TensorType> others = traced_output_types(self, inputs, 96);
    for (std::size_t k = 0; k < types.size(); ++k) {
      for (std::size_t i = 0; i < types[k].dims.size(); ++i) {
        if (i >= others[k].dims.size() || types[k].dims[i] != others[k].dims[i]) types[k].dims[i] = kUnknown;
      }
    }
    return types;
  });
}

Dims Layer::compute_output_shape(const Dims& input_shape) const {
  const TensorType input{DType::kF32, input_shape};
  const std::vector<TensorType> outputs = compute_output_types({&input, 1});
  if (outputs.size() != 1) invalid_argument("the layer has {} outputs, not one; in layer \"{}\"", outputs.size(), name_);
  return outputs[0].dims;
}

namespace {

/// A weight that several layers share counts once, where it is met first.
void append_new(std::vector<Variable>& all, const std::vector<Variable>& more) {
  for (const Variable& variable : more)
    if (std::find(all.begin(), all.end(), variable) == all.end()) all.push_back(variable);
}

}  // namespace

std::vector<Variable> Layer::weights() const {
  std::vector<Variable> all = own_trainable_;
  append_new(all, own_non_trainable_);
  for (const auto& layer : sublayers()) append_new(all, layer->weights());
  return all;
}

std::vector<Variable> Layer::trainable_weights() const {
  std::vector<Variable> result;
  if (!trainable_) return result;
  for (const Variable& variable : weights())
    if (variable.trainable()) result.push_back(variable);
  return result;
}

std::vector<Variable> Layer::non_trainable_weights() const {
  std::vector<Variable> all = weights();
  if (trainable_) std::erase_if(all, [](const Variable& variable) { return variable.trainable(); });
  return all;
}

std::int64_t Layer::count_params() const {
  std::int64_t count = 0;
  for (const Variable& variable : weights()) count += variable.num_elements();
  return count;
}

Variable Layer::add_weight(const WeightOptions& options) {
  for (const std::int64_t extent : options.shape)
    if (extent < 0) invalid_argument("weight \"{}\" has the shape {}", options.name, shape_with_none_str(options.shape));
  const ir::Literal value = (*options.initializer.get())(options.shape, options.dtype);
  const bool trainable = options.trainable && trainable_;
  Variable variable(value, {.name = options.name, .path = NameScope::path(options.name), .trainable = trainable});
  (options.trainable ? own_trainable_ : own_non_trainable_).push_back(variable);
  return variable;
}

void Layer::check_initializer(const char* option, const InitializerSpec& initializer) const {
  check_option(*this, [&] {
    if (initializer.get() == nullptr) invalid_argument("{} is not set", option);
  });
}

void Layer::check_activation(const ActivationSpec& activation) const {
  check_option(*this, [&] { activation.check(); });
}

}  // namespace cornu::keras
