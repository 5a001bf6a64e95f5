#pragma once

#include "cornu/keras/initializers/initializers.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

/// Interface of initializers that make a weight's variable themselves, without its values in one piece of
/// memory: Layer::add_weight takes the variable in place of values.
class VariableInitializer : public Initializer {
 public:
  virtual Variable variable(const TensorType& type, VariableOptions options) const = 0;
};

}  // namespace cornu::inline v0::keras
