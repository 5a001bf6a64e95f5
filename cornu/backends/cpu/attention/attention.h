#pragma once

#include <cstdint>
#include <memory>

#include "cornu/backends/cpu/op/group_kernel.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/ir/graph.h"
#include "cornu/transform/find_attention.h"

/// Kernels of cornu.dot_product_attention and its gradient in f32: blocks of queries times blocks of keys, so
/// that scores exist only in the second-level cache. Other types, and few queries or keys, run as the decomposition.
namespace cornu::inline v0::backends::cpu::attention {

/// True if there is a kernel for the op.
bool serves(const ir::Op& op);

/// True if the kernels are faster than attention as a program wrote it out.
bool pays(const transform::WrittenAttention& written);

std::unique_ptr<GroupKernel> make_kernel(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_gradient_kernel(const ir::Op& op, const Target& target, int num_threads);

/// Multiplications and additions of the products: two of scores' size, five in the gradient.
double flops(const ir::Op& op);
double gradient_flops(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu::attention
