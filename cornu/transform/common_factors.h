#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a simplified function with `d a + d b` as `d (a + b)`, where d is computed later than all that a and b
/// are made of, as a gradient is. A step then keeps a + b of its forward pass in place of a and b. Such sums
/// are the gradients of x f(x), gelu for example. Only for large tensors of f32 and f64 outside of
/// loops; the result is rounded otherwise. Null if there are none to change.
std::unique_ptr<ir::Function> join_common_factors(const ir::Function& function);

}  // namespace cornu::inline v0::transform
