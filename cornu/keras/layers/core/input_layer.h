#pragma once

#include <optional>

#include "cornu/keras/base/floatx.h"
#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras {

struct InputOptions {  // options/layers.toml
  /// Shape of one row without the batch; kUnknown extents are open.
  Dims shape = {};
  /// Rows of a batch; kUnknown: any number.
  std::int64_t batch_size = kUnknown;
  /// Dtype of the tensor, to which inputs are cast; if not given, config::floatx().
  DType dtype = current_floatx();
  /// Name of the input layer, unique in a model; empty: "input_layer", with a number if it is taken.
  std::string name = {};
  /// Shape with the batch, in place of shape and batch_size; unset: these two count.
  OptionalDims batch_shape = {};
};
CORNU_FIELDS(InputOptions, shape, batch_size, dtype, name, batch_shape)

/// An input of a functional model. As the first element of a Sequential it sets the input shape, so that the
/// model is built before it gets data.
///
/// Shapes:  [batch, shape...]; batch is batch_size, or open.
/// Errors:  InvalidArgument for an extent that is negative and not kUnknown, and if both shape and batch_shape
///         are given.
class Input : public KerasTensor {
 public:
  explicit Input(InputOptions options);
};

namespace layers {

using keras::Input;
using keras::InputOptions;

/// The layer of an Input: returns its input, cast to the Input's dtype. A last extent of 1 may be missing or
/// additional, as in Keras.
/// Errors: InvalidArgument with both shapes if the input does not fit.
class InputLayer : public Layer {
 public:
  explicit InputLayer(InputOptions options);
  /// The shape, including the batch.
  const Dims& batch_shape() const { return type_.dims; }
  DType dtype() const { return type_.dtype; }
  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    std::vector<TensorType> types(inputs.begin(), inputs.end());
    for (TensorType& type : types) type.dtype = type_.dtype;
    return types;
  }
  Config get_config() const override;

 protected:
  Tensor call(const Tensor& input, const CallContext& context) override;

 private:
  friend KerasTensor input_tensor(const std::shared_ptr<Layer>& input_layer);

  TensorType type_;
  bool is_named_;
};

/// The tensor of a new input layer.
KerasTensor make_input(InputOptions options);
/// The tensor of an existing input layer.
KerasTensor input_tensor(const std::shared_ptr<Layer>& input_layer);

}  // namespace layers
}  // namespace cornu::inline v0::keras
