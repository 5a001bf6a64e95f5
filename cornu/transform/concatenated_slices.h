#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with slices of concatenates as concatenates of slices of their parts, where these take no more memory:
/// all uses of the concatenate are slices that are joined again or returned (a tensor rolled along two dimensions), or
/// the slice is a small part (an edge that a padding repeats). Null if there are none.
std::unique_ptr<ir::Function> slice_before_concatenating(const ir::Function& function);

}  // namespace cornu::inline v0::transform
