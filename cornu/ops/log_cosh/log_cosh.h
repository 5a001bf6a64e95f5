#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// log(cosh(x)), elementwise, without overflow: the Keras loss of a difference x.
///
/// Semantics: x + softplus(-2x) - log(2).
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  dy * tanh(x).
/// Source:    Keras, log_cosh; composite cornu.log_cosh.
ir::Value log_cosh(ir::Builder& builder, ir::Value x);

namespace log_cosh_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
