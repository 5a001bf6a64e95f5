#pragma once

#include <memory>

#include "cornu/backends/cpu/group_kernel.h"

/// Kernels of the recurrent composites and their gradients: f32 with the usual activations; the others run by their decomposition.
///
/// Slices of the batch walk the whole sequence by themselves: threads meet once. The recurrent kernel is packed once for all steps.
namespace cornu::inline v0::backends::cpu {

bool has_recurrent_kernel(const ir::Op& op);
std::unique_ptr<GroupKernel> make_recurrent_kernel(const ir::Op& op, const Target& target, int num_threads);
/// Multiplications and additions of the products inside.
double recurrent_flops(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu
