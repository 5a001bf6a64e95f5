#pragma once

#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {

/// Replaces a scatter that adds slices to equal elements, at constant positions of one dimension that do not
/// repeat, by a gather of the slices: the gradient of `take` with constant indices. Each element is written
/// once then, and the gather is fused with the ops that read it. Empty for another op, and for a scatter that
/// writes less than a quarter of the elements.
ir::Value scatter_at_distinct_constants(const Candidate& candidate);

/// Replaces a scatter of one window at a constant position inside the tensor, as of x.at[1:-1].add(y) in JAX, by a
/// dynamic_update_slice, whose update is fused with the ops that make it. Empty for another op.
ir::Value scatter_of_one_window(const Candidate& candidate);

}  // namespace cornu::inline v0::transform
