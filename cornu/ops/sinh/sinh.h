#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Hyperbolic sine, (e^x - e^-x) / 2, elementwise.
///
/// Semantics: accurate near 0, and without overflow where the result has none.
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  dy * cosh(x).
/// Source:    CHLO, sinh; composite cornu.sinh.
ir::Value sinh(ir::Builder& builder, ir::Value x);

namespace sinh_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
