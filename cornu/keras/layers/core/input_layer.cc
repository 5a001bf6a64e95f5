#include "cornu/keras/layers/core/input_layer.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/config/keras_form_support.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layer/node.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {

Input::Input(InputOptions options) : KerasTensor(layers::make_input(std::move(options))) {}

namespace layers {

InputLayer::InputLayer(InputOptions options)
    : Layer(LayerSettings{.class_name = "InputLayer", .name = options.name}),
      type_{options.dtype, options.shape},
      is_named_(!options.name.empty()) {
  set_autocast(false);
  DescriptionAccess::set(*this, {class_name(), nullptr});
  if (options.batch_shape.has_value()) {
    if (!options.shape.empty() || options.batch_size != kUnknown)
      invalid_argument({.layer = name()},
                       "[input] batch_shape contains shape and batch_size already; give only one of them");
    type_.dims = *options.batch_shape;
    if (type_.dims.empty())
      invalid_argument({.layer = name()},
                       "[input] batch_shape needs the batch in front; got batch_shape = ()");
  } else {
    type_.dims.insert(type_.dims.begin(), options.batch_size);
  }
  const char* said_by = options.batch_shape.has_value() ? "batch_shape" : "batch_size";
  const std::int64_t batch = type_.dims[0];
  if (batch <= 0 && batch != kUnknown)
    invalid_argument({.layer = name()}, "[input] {} must {}; got {} = {}", said_by,
                     options.batch_shape.has_value() ? "begin with a positive extent or kUnknown"
                                                     : "be positive, or kUnknown",
                     said_by,
                     options.batch_shape.has_value() ? ir::shape_str(type_.dims) : std::to_string(batch));
  if (!is_open_shape(type_.dims))
    invalid_argument({.layer = name()}, "[input] extents must not be negative, except kUnknown; got {} = {}",
                     options.batch_shape.has_value() ? "batch_shape" : "shape",
                     ir::shape_str(options.batch_shape.has_value() ? type_.dims : options.shape));
  check_open_type(type_);
  set_type_rule(TypeRule::kOverridden);
}

Config InputLayer::get_config() const {
  const Config fields = Config::dict({{"batch_shape", saving::write_value(OptionalDims(batch_shape()), {})},
                                      {"dtype", ir::numpy_name(dtype())},
                                      {"name", name()}});
  return saving::in_keras_form({"keras.layers", class_name()}, fields, Config::dict());
}

Tensor InputLayer::call(const Tensor& input, const CallContext&) {
  const std::size_t rank = batch_shape().size();
  Tensor fitted = input;
  if (input.shape().size() == rank + 1 && input.shape().back() == 1) fitted = ops::squeeze(input, -1);
  if (input.shape().size() + 1 == rank && batch_shape().back() == 1) fitted = ops::expand_dims(input, -1);
  bool fits = fitted.shape().size() == rank;
  // The batch extent is the one that layers were built for. As in Keras, layers that accept others may get
  // them.
  for (std::size_t i = 1; fits && i < rank; ++i)
    fits = batch_shape()[i] == kUnknown || batch_shape()[i] == fitted.shape()[i];
  if (!fits) {
    Dims wanted = batch_shape(), got = input.shape();
    wanted[0] = kUnknown;
    if (input.is_symbolic() && !got.empty())
      got[0] = kUnknown;  // the batch of a trace is not one that the caller chose
    invalid_argument("[input_layer] expected an input of shape {}; got {}", shape_with_none_str(wanted),
                     shape_with_none_str(got));
  }
  if (fitted.dtype() != dtype()) fitted = ops::cast(fitted, dtype());
  // the cast dropped it; Keras restores it as well
  if (const Tensor* const mask = input.mask()) fitted = fitted.with_mask(*mask);
  return fitted;
}

KerasTensor make_input(InputOptions options) {
  return input_tensor(std::make_shared<InputLayer>(std::move(options)));
}

KerasTensor input_tensor(const std::shared_ptr<Layer>& input_layer) {
  if (const auto held = input_layer->nodes(); !held.empty()) return {held[0], 0};
  const auto& layer = dynamic_cast<const InputLayer&>(*input_layer);
  input_layer->build_once(layer.batch_shape());
  // A given name is also the name of the tensor, as in Keras.
  std::vector<std::string> names;
  if (layer.is_named_) names.push_back(layer.name());
  return add_node(input_layer, {}, {}, {{layer.dtype(), layer.batch_shape()}}, std::move(names))[0];
}

}  // namespace layers
}  // namespace cornu::inline v0::keras
