#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with the sums of products that its loops carry as one product after the loop: the gradient of a
/// recurrent layer's weights, sum over t of dot(x[t], g[t]), is dot(x, g) over t, too. An operand that an iteration
/// slices from a tensor of the whole loop is that tensor; others are kept for all iterations, up to kMostStackedBytes.
/// Only for f32 and f64, and for loops with a known number of iterations; results are rounded otherwise. The
/// loop still carries the sums: simplify removes them. Null if there are none to change.
std::unique_ptr<ir::Function> take_products_out_of_loops(const ir::Function& function);

}  // namespace cornu::inline v0::transform
