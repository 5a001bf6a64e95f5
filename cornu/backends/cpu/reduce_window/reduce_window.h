#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// One input without dilation, reduced by add, multiply, maximum or minimum from the neutral element.
bool has_reduce_window_kernel(const ir::Op& op);

/// Windows are reduced axis by axis, each axis in a time that does not grow with the window: a running total
/// is a window, too. Floats are added up and multiplied in double along an axis.
std::unique_ptr<GroupKernel> make_reduce_window_kernel(const ir::Op& op, const Target& target,
                                                       int num_threads);

}  // namespace cornu::inline v0::backends::cpu
