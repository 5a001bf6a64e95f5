#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

bool has_sort_kernel(const ir::Op& sort);

/// Makes a stable merge sort of each line, lines in parallel. The merges are the reference kernel's, so
/// comparators that are not an order give the same results too.
std::unique_ptr<GroupKernel> make_sort_kernel(const ir::Op& sort, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
