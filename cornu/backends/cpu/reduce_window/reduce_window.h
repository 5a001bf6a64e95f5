#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// True for one input without dilation, reduced by add, multiply, maximum or minimum from the neutral
/// element.
bool has_reduce_window_kernel(const ir::Op& op);

/// Makes a kernel that reduces windows axis by axis, each in a time that does not grow with the window, also
/// for running totals. Floats are summed and multiplied in double along an axis.
std::unique_ptr<GroupKernel> make_reduce_window_kernel(const ir::Op& op, const Target& target,
                                                       int num_threads);

}  // namespace cornu::inline v0::backends::cpu
