#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with gradients of max and min pools whose vectors would not run along channels (few of them, or windows
/// along the last dimension) as elementwise ops: the number of each window's selected element, then for each element
/// the sum over the windows around it that selected it. Null if there are none.
std::unique_ptr<ir::Function> unroll_pool_gradients(const ir::Function& function);

}  // namespace cornu::inline v0::transform
