#include "cornu/keras/layers/input_layer.h"

#include "cornu/base/check.h"

namespace cornu::keras::layers {

InputLayer::InputLayer(InputOptions options) : Layer("InputLayer", options.name), batch_shape_(options.shape), dtype_(options.dtype) {
  batch_shape_.insert(batch_shape_.begin(), options.batch_size);
}

Tensor InputLayer::call(const Tensor& input, const CallContext&) {
  bool fits = input.shape().size() == batch_shape_.size();
  for (std::size_t i = 0; fits && i < batch_shape_.size(); ++i) fits = batch_shape_[i] == kUnknown || batch_shape_[i] == input.shape()[i];
  if (!fits)
    invalid_argument("[input_layer] expected an input of shape {}; got {}", shape_with_none_str(batch_shape_),
                     ir::shape_str(input.shape()));
  return input;
}

Input::Input(InputOptions options) : LayerHandle(std::make_shared<InputLayer>(std::move(options))) {}

}  // namespace cornu::keras::layers
