#include "cornu/keras/models/sequential.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/layers/core/input_layer.h"

namespace cornu::inline v0::keras {
namespace {

const layers::InputLayer* as_input(const std::shared_ptr<Layer>& layer) {
  return dynamic_cast<const layers::InputLayer*>(layer.get());
}

/// The input shape given by the first layer; empty if it has none.
Dims known_input_shape(const std::shared_ptr<Layer>& first) {
  if (const auto* input = as_input(first)) return input->batch_shape();
  const Network* const network = first->network_or_null();
  if (network == nullptr || network->inputs().size() != 1) return {};
  return network->inputs()[0].shape();
}

}  // namespace

SequentialNetwork::SequentialNetwork(SequentialOptions options)
    : Network(LayerSettings{
          .class_name = "Sequential", .name = std::move(options.name), .trainable = options.trainable}) {
  set_autocast(false);
  DescriptionAccess::set(*this, {class_name(), nullptr});
}

Config SequentialNetwork::get_config() const {
  Config layers{Config::List()};
  if (!chain_.empty() && (layers_.empty() || as_input(layers_[0]) == nullptr))
    layers.append(saving::serialize(*chain_[0].node().layer));
  for (const auto& layer : layers_) layers.append(saving::serialize(*layer));
  Config config = Config::dict(
      {{"name", name()}, {"trainable", trainable()}, {"dtype", saving::write_value(dtype_policy(), {})}});
  config.set("layers", std::move(layers));
  if (!input_shape_.empty())
    config.set("build_input_shape", saving::write_value(OptionalDims(input_shape_), {}));
  return config;
}

void SequentialNetwork::check_new(const std::shared_ptr<Layer>& layer) const {
  if (layer == nullptr) invalid_argument("[sequential] the layer to add to model \"{}\" is empty", name());
  if (layer->contains(*this))
    invalid_argument("[sequential] model \"{}\" cannot be inside itself; got layer \"{}\"", name(),
                     layer->name());
  for (const auto& known : layers_) {
    if (known->name() == layer->name())
      invalid_argument(
          "[sequential] model \"{}\" already has a layer named \"{}\"; names of layers must differ", name(),
          layer->name());
  }
  if (as_input(layer) != nullptr && (!layers_.empty() || built()))
    invalid_argument("[sequential] input layer \"{}\" must be the first layer of model \"{}\"", layer->name(),
                     name());
}

void SequentialNetwork::add(const std::vector<std::shared_ptr<Layer>>& layers) {
  const std::size_t num_before = layers_.size(), chain_before = chain_.size();
  try {
    for (const auto& layer : layers) {
      check_new(layer);
      if (layers_.empty() && layer->input_shape_option().has_value())
        layers_.push_back(layers::make_input({.shape = *layer->input_shape_option()}).node().layer);
      layers_.push_back(layer);
    }
    if (layers_.empty()) return;
    if (built()) {
      const NameScope scope = NameScope::absolute(path());
      extend_chain();
    } else if (Dims shape = known_input_shape(layers_[0]); !shape.empty()) {
      build_once(shape);
    }
  } catch (...) {
    layers_.resize(num_before);
    chain_.resize(std::min(chain_before, chain_.size()));
    throw;
  }
}

void SequentialNetwork::pop() {
  if (layers_.empty())
    fail(ErrorCode::kFailedPrecondition, "[sequential] model \"{}\" has no layer to pop", name());
  layers_.pop_back();
  if (chain_.size() > 1 + num_layers_after_input()) chain_.pop_back();
}

// The first layer may be an input layer or not.
std::size_t SequentialNetwork::num_layers_after_input() const {
  return layers_.size() - (!layers_.empty() && as_input(layers_[0]) != nullptr ? 1 : 0);
}

std::vector<std::shared_ptr<Layer>> SequentialNetwork::layers() const {
  return {layers_.end() - static_cast<std::ptrdiff_t>(num_layers_after_input()), layers_.end()};
}

std::vector<std::string> SequentialNetwork::output_names() const {
  if (layers_.empty()) return {};
  return {layers_.back()->name()};
}

std::vector<TensorType> SequentialNetwork::compute_output_types(std::span<const TensorType> inputs) const {
  std::vector<TensorType> types(inputs.begin(), inputs.end());
  for (const auto& layer : layers_) types = layer->compute_output_types(types);
  return types;
}

bool SequentialNetwork::has_type_rule() const {
  return std::all_of(layers_.begin(), layers_.end(),
                     [](const auto& layer) { return layer->has_type_rule(); });
}

Dims SequentialNetwork::compute_output_shape(const Dims& input_shape) const {
  Dims shape = input_shape;
  for (const auto& layer : layers_) shape = layer->compute_output_shape(shape);
  return shape;
}

// Calls the layers on tensors of a functional model. That builds them, and the model can be cut and joined
// like any functional one.
void SequentialNetwork::extend_chain() {
  unique_name("functional");  // Keras makes a functional model here and counts its name
  const std::vector<std::shared_ptr<Layer>> after_input = layers();
  for (std::size_t i = chain_.size() - 1; i < after_input.size(); ++i)
    chain_.push_back(LayerHandle(after_input[i])(chain_.back()));
}

void SequentialNetwork::build_for(std::span<const Dims> input_shapes) {
  if (input_shapes.size() != 1)
    invalid_argument("[sequential] expected one input; got {}", input_shapes.size());
  const Dims& input_shape = input_shapes[0];
  if (layers_.empty())
    fail(ErrorCode::kFailedPrecondition, "[sequential] model \"{}\" has no layers", name());
  chain_.clear();
  chain_.push_back(as_input(layers_[0]) != nullptr
                       ? layers::input_tensor(layers_[0])
                       : layers::make_input({.dtype = build_types()[0].dtype, .batch_shape = input_shape}));
  input_shape_ = input_shape;
  extend_chain();
}

void SequentialNetwork::unbuild() {
  chain_.clear();
  input_shape_.clear();
}

Tensor SequentialNetwork::call(const Tensor& input, const CallContext&) {
  Tensor value = input;
  for (const auto& layer : layers_) value = (*layer)(value);
  return value;
}

Sequential::Sequential(std::shared_ptr<SequentialNetwork> network)
    : Model(network), network_(std::move(network)) {}

Sequential::Sequential(const std::vector<LayerHandle>& layers, SequentialOptions options)
    : Sequential(std::make_shared<SequentialNetwork>(std::move(options))) {
  std::vector<std::shared_ptr<Layer>> all;
  all.reserve(layers.size());
  for (const LayerHandle& layer : layers) all.push_back(layer.shared());
  network_->add(all);
}

}  // namespace cornu::inline v0::keras
