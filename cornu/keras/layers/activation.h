#pragma once

#include "cornu/keras/activations/activations.h"
#include "cornu/keras/layer.h"

namespace cornu::keras::layers {

struct ActivationOptions {
  ActivationSpec activation = {};
  std::string name = {};
};

/// Applies an activation function.
class Activation : public LayerHandle {
 public:
  explicit Activation(ActivationOptions options);
  explicit Activation(const char* activation) : Activation(ActivationOptions{.activation = activation}) {}
};

}  // namespace cornu::keras::layers
