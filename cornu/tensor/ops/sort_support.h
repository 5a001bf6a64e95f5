#pragma once

#include <vector>

#include "cornu/tensor/value/tensor.h"

/// Shared by the sources of this folder; not part of the interface.
namespace cornu::inline v0::ops::internal {

/// x and the positions its elements had, along an axis; equal elements keep their order, NaN counts as the
/// largest.
std::vector<Tensor> sorted_with_positions(const char* name, const Tensor& x, std::int64_t axis,
                                          bool descending);

}  // namespace cornu::inline v0::ops::internal
