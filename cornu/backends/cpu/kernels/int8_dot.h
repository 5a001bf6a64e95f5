#pragma once

#include <memory>

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/target/target.h"

/// The kernel of cornu.int8_dot; see KernelColumn.
namespace cornu::inline v0::backends::cpu {

std::unique_ptr<GroupKernel> make_int8_dot_kernel(const ir::Op& op, const Target& target, int num_threads);
/// True if the dimensions are in the order that ops::int8_dot gives them.
bool has_int8_dot_kernel(const ir::Op& op);
double int8_dot_flops(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu
