#include "cornu/keras/sequential.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layers/input_layer.h"
#include "cornu/keras/names.h"

namespace cornu::keras {

SequentialNetwork::SequentialNetwork(std::string name) : Network("Sequential", std::move(name)) {}

void SequentialNetwork::add(std::shared_ptr<Layer> layer) {
  if (layer == nullptr) invalid_argument("[sequential] the layer to add to model \"{}\" is empty", name());
  for (const auto& known : layers_) {
    if (known->name() == layer->name())
      invalid_argument("[sequential] model \"{}\" already has a layer named \"{}\"; names of layers must differ", name(), layer->name());
  }
  const auto* input = dynamic_cast<const layers::InputLayer*>(layer.get());
  if (input != nullptr && (!layers_.empty() || built()))
    invalid_argument("[sequential] input layer \"{}\" must be the first layer of model \"{}\"", layer->name(), name());
  layers_.push_back(layer);
  if (input != nullptr) {
    build_once(input->batch_shape());
  } else if (built()) {
    // Everything before it is built, so its input shape is known.
    layers_.pop_back();
    const Dims shape = compute_output_shape(input_shape_);
    {
      const NameScope scope(name());
      layer->build_once(shape);
    }
    layers_.push_back(std::move(layer));
  }
}

void SequentialNetwork::pop() {
  if (layers_.empty()) fail(ErrorCode::kFailedPrecondition, "[sequential] model \"{}\" has no layer to pop", name());
  layers_.pop_back();
}

Dims SequentialNetwork::compute_output_shape(const Dims& input_shape) const {
  Dims shape = input_shape;
  for (const auto& layer : layers_) shape = layer->compute_output_shape(shape);
  return shape;
}

void SequentialNetwork::set_trainable(bool trainable) {
  Layer::set_trainable(trainable);
  for (const auto& layer : layers_) layer->set_trainable(trainable);
}

void SequentialNetwork::build(const Dims& input_shape) {
  if (layers_.empty()) fail(ErrorCode::kFailedPrecondition, "[sequential] model \"{}\" has no layers", name());
  Dims shape = input_shape;
  for (const auto& layer : layers_) {
    layer->build_once(shape);
    shape = layer->compute_output_shape(shape);
  }
  input_shape_ = input_shape;
}

Tensor SequentialNetwork::call(const Tensor& input, const CallContext&) {
  Tensor value = input;
  for (const auto& layer : layers_) value = (*layer)(value);
  return value;
}

Sequential::Sequential(std::shared_ptr<SequentialNetwork> network) : Model(network), network_(std::move(network)) {}

Sequential::Sequential(const std::vector<LayerHandle>& layers, std::string name)
    : Sequential(std::make_shared<SequentialNetwork>(std::move(name))) {
  for (const LayerHandle& layer : layers) add(layer);
}

Sequential::Sequential(std::initializer_list<LayerHandle> layers, std::string name)
    : Sequential(std::vector<LayerHandle>(layers), std::move(name)) {}

}  // namespace cornu::keras
