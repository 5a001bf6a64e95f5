#pragma once

#include <memory>

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/target/target.h"

/// The kernel of cornu.int4_dot; see KernelColumn.
namespace cornu::inline v0::backends::cpu {

std::unique_ptr<GroupKernel> make_int4_dot_kernel(const ir::Op& op, const Target& target, int num_threads);
double int4_dot_flops(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu
