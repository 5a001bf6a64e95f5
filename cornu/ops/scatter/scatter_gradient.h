#pragma once

#include <vector>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// See scatter.h.
std::vector<ir::Value> scatter_gradient(const ir::GradientContext& context);

}  // namespace cornu::inline v0::ops
