#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// log(1 + exp(x)), elementwise, without overflow.
///
/// Semantics: log1p(exp(-|x|)) + max(x, 0).
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  dy * logistic(x).
/// Source:    Keras, softplus; composite cornu.softplus.
ir::Value softplus(ir::Builder& builder, ir::Value x);

namespace softplus_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
