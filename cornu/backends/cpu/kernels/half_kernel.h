#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// Runs a kernel of float32 on tensors of f16 or bf16: all are converted, and the results rounded once.
std::unique_ptr<GroupKernel> make_half_kernel(const ir::Op& op, const Target& target,
                                              std::unique_ptr<GroupKernel> kernel);

}  // namespace cornu::inline v0::backends::cpu
