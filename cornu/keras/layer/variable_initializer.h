#pragma once

#include <utility>

#include "cornu/keras/initializers/initializers.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

/// Interface of initializers that make a weight's variable themselves, without its values in one piece of
/// memory: Layer::add_weight takes the variable in place of values.
class VariableInitializer : public Initializer {
 public:
  virtual Variable variable(const TensorType& type, VariableOptions options) const = 0;
  /// The variable whose values a file will replace.
  virtual Variable deferred(DeferredInitialization& allowance, const TensorType& type,
                            VariableOptions options) const {
    return allowance.weight(type, std::move(options));
  }
};

}  // namespace cornu::inline v0::keras
