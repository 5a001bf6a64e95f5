#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

bool has_select_and_scatter_kernel(const ir::Op& op);

/// The gradient of a maximum over windows, and whatever else the op can say: select by one comparison and add
/// as typed loops along the innermost dimensions that have no windows, other bodies by precompiled
/// elementwise kernels. Images (and parts of many channels) in parallel; the windows of an image in order.
std::unique_ptr<GroupKernel> make_select_and_scatter_kernel(const ir::Op& op, const Target& target,
                                                            int num_threads);

}  // namespace cornu::inline v0::backends::cpu
