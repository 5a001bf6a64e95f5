#pragma once

#include <memory>

#include "cornu/backends/cpu/group_kernel.h"

/// Kernels of the recurrent composites and their gradients in f32, whatever their options; other types run by their decomposition.
namespace cornu::inline v0::backends::cpu {

bool has_recurrent_kernel(const ir::Op& op);
std::unique_ptr<GroupKernel> make_recurrent_kernel(const ir::Op& op, const Target& target, int num_threads);
/// Multiplications and additions of the products inside.
double recurrent_flops(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu
