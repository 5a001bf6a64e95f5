#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function so that scatters skip windows that are partly outside whole, as XLA does; StableHLO's
/// specification skips the elements outside alone. JAX's gradients rely on XLA's rule. Null if no window can be partly
/// outside.
std::unique_ptr<ir::Function> skip_partial_windows(const ir::Function& function);

}  // namespace cornu::inline v0::transform
