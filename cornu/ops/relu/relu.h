#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Rectified linear unit: max(x, 0).
///
/// Shapes:    the result has x's shape.
/// Types:     float or signed integer; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  dy where x > 0, else 0 (so 0 at 0).
/// Source:    Keras, relu; composite cornu.relu.
ir::Value relu(ir::Builder& builder, ir::Value x);

namespace relu_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
