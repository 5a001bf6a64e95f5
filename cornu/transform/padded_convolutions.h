#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with zeros around the positions of a convolution's lhs as padding of the convolution, and without
/// results of a convolution that only a cut removes: as layers of padding before convolutions and their gradients
/// write them. It saves a copy of each such tensor; sums may be added in another order. Null if there are none.
std::unique_ptr<ir::Function> pad_in_convolutions(const ir::Function& function);

}  // namespace cornu::inline v0::transform
