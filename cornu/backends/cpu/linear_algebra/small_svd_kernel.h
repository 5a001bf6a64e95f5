#pragma once

#include <memory>

#include "cornu/backends/cpu/op/group_kernel.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// A kernel of cornu.svd for many small matrices of f32 or f64; null for others. Matrices that small_svds leaves
/// without a result are decomposed by LinearAlgebra::svd.
std::unique_ptr<GroupKernel> make_small_svd_kernel(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
