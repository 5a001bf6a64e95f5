#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// True for tensors that are large enough to pay for a loop of their own: strided loads and stores in fused
/// loops take several times as long.
bool has_interleave_kernel(const ir::Op& op);

/// Makes the loop of cornu.split_parts or cornu.join_parts.
std::unique_ptr<GroupKernel> make_interleave_kernel(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
