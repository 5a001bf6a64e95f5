#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

bool has_select_and_scatter_kernel(const ir::Op& op);

/// Makes the kernel of select_and_scatter. Selection by one comparison with addition, the gradient of a
/// maximum over windows, runs as typed loops along the innermost dimensions without windows; other bodies run
/// by precompiled elementwise kernels. Images (and parts of many channels) run in parallel; the windows of an
/// image in order.
std::unique_ptr<GroupKernel> make_select_and_scatter_kernel(const ir::Op& op, const Target& target,
                                                            int num_threads);

}  // namespace cornu::inline v0::backends::cpu
