#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

bool has_sort_kernel(const ir::Op& sort);

/// Makes a stable sort of each line, lines in parallel: by keys as integers (words.h), or by merges that call the
/// comparator. The merges are the reference kernel's, so comparators that are not an order give the same results too.
std::unique_ptr<GroupKernel> make_sort_kernel(const ir::Op& sort, const Target& target, int num_threads);

/// Makes the kernel of chlo.top_k, for dtypes whose keys are integers (words.h).
bool has_top_k_kernel(const ir::Op& op);
std::unique_ptr<GroupKernel> make_top_k_kernel(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
