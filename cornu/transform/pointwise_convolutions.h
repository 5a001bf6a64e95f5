#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with convolutions of 1 x 1 and their gradients as products of matrices [positions, channels], where
/// channels are the last dimension. Null if there are none.
///
/// Strides become slices before the product, which the convolutions of one tensor share, or zeros after it, in the
/// gradient for a strided convolution's lhs. The engine's product is faster than a library's convolution if both
/// numbers of channels are at least 64 (docs/adr/0180); sums are added in another order.
std::unique_ptr<ir::Function> multiply_single_windows(const ir::Function& function);

}  // namespace cornu::inline v0::transform
