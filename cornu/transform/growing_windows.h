#pragma once

#include <memory>

#include "cornu/ir/graph.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {

/// True for ops to keep: those that a backend has kernels for.
using KeepOp = bool (*)(const ir::Op& op);

/// Copies a function with reductions of windows that grow by one element, as of cumlogsumexp and of complex
/// cumprod, as loops: the elements are cut into blocks, which are scanned side by side, and the blocks before are
/// added to each. Null if there are none to change.
std::unique_ptr<ir::Function> scan_growing_windows(const ir::Function& function, KeepOp keep);

}  // namespace cornu::inline v0::transform
