#pragma once

#include <memory>

#include "cornu/backends/cpu/op/group_kernel.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// The kernel of cornu.resize for images of f32: rows first, then the pixels of a row, whose sum is in the first
/// cache then.
std::unique_ptr<GroupKernel> make_resize_kernel(const ir::Op& op, const Target& target, int num_threads);

bool has_resize_kernel(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu
