#pragma once

#include <memory>

#include "cornu/backends/cpu/op/group_kernel.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// A kernel of the custom calls Qr and ProductOfElementaryHouseholderReflectors for many small matrices of f32 or f64;
/// null for others.
std::unique_ptr<GroupKernel> make_small_qr_kernel(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
