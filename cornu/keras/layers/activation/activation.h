#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct ActivationOptions {
  ActivationSpec activation = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ActivationOptions, activation, activity_regularizer, name, trainable, dtype, input_shape)

/// Applies an activation function.
class Activation : public LayerHandle {
 public:
  explicit Activation(ActivationOptions options);
  /// Null: "linear".
  explicit Activation(const char* activation) : Activation(ActivationOptions{.activation = activation}) {}
};

}  // namespace cornu::inline v0::keras::layers
