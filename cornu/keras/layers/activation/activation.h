#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct ActivationOptions {  // options/layers.toml
  /// Activation function: a name, an object or a callable; empty: linear.
  ActivationSpec activation = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ActivationOptions, activation, activity_regularizer, name, trainable, dtype, input_shape)

/// Applies an activation function.
///
/// Shapes:  [batch, ...] -> the shape that the function gives, for functions by elements the same.
class Activation : public LayerHandle {
 public:
  explicit Activation(ActivationOptions options);
  /// Null: "linear".
  explicit Activation(const char* activation) : Activation(ActivationOptions{.activation = activation}) {}
};

}  // namespace cornu::inline v0::keras::layers
