#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// x, through which no gradient passes.
///
/// Shapes:    the result has x's shape.
/// Types:     any; the result has x's dtype.
/// Gradient:  none.
/// Source:    composite cornu.stop_gradient.
ir::Value stop_gradient(ir::Builder& builder, ir::Value x);

namespace stop_gradient_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
