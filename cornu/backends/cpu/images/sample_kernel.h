#pragma once

#include <memory>

#include "cornu/backends/cpu/op/group_kernel.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// The kernel of cornu.sample_pixels for linear interpolation in images of f32 with two axes at positions of f32. Nearest
/// pixels are gathered by loops that compute their positions, too.
std::unique_ptr<GroupKernel> make_sample_kernel(const ir::Op& op, const Target& target, int num_threads);

bool has_sample_kernel(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu
