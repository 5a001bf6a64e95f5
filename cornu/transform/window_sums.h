#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with sums of small overlapping windows, as of moving averages and average pools, as additions of slices,
/// which are one loop. Null if there are none.
std::unique_ptr<ir::Function> unroll_window_sums(const ir::Function& function);

}  // namespace cornu::inline v0::transform
