#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with `dot(S, V) + transpose(dot(V, S))`, where the second product is that of S
/// transposed and V, as one product `dot(S + transpose(S), V)`. S are square matrices. The gradient of V in
/// `dot(V, V)`, products of all pairs of vectors, is such a sum. Only for f32 and f64; the result is rounded
/// otherwise. Null if there are none to change.
std::unique_ptr<ir::Function> join_symmetric_products(const ir::Function& function);

}  // namespace cornu::inline v0::transform
