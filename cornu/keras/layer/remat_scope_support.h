#pragma once

#include <span>
#include <string>

#include "cornu/keras/layer/remat_scope.h"
#include "cornu/tensor/tensor.h"

/// For Layer; not part of the interface.
namespace cornu::inline v0::keras {

/// True if a layer of this name with these outputs computes its values again during the backward pass.
bool is_computed_again(const RematScopeOptions& options, const std::string& name,
                       std::span<const Tensor> outputs);

}  // namespace cornu::inline v0::keras
