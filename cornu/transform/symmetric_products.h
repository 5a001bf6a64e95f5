#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a simplified function with `dot(S, V) + dot(transpose(S), V)`, where the second dot contracts the
/// rows of S, as one product `dot(S + transpose(S), V)`. S are square matrices. The gradient of V in
/// `dot(V, V)`, products of all pairs of vectors, is such a sum. Only for f32 and f64; the result is rounded
/// otherwise. Null if there are none to change.
std::unique_ptr<ir::Function> join_symmetric_products(const ir::Function& function);

}  // namespace cornu::inline v0::transform
