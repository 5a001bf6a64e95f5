#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with convolutions of one window that are sums over whole images as products of matrices: the weights'
/// gradients of convolutions of 1 x 1 without strides, where channels are the last dimension. The engine's product is
/// faster than a library's convolution; sums are added in another order. Null if there are none.
std::unique_ptr<ir::Function> multiply_single_windows(const ir::Function& function);

}  // namespace cornu::inline v0::transform
