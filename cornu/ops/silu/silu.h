#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// x times its logistic function, elementwise: the sigmoid linear unit.
///
/// Semantics: x * logistic(x).
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  dy times one factor that depends on x alone, so that a training step keeps no other tensor of
///            the forward pass.
/// Source:    Keras, silu; composite cornu.silu.
ir::Value silu(ir::Builder& builder, ir::Value x);

/// The Gaussian error linear unit by a hyperbolic tangent, elementwise.
///
/// Semantics: x / 2 * (1 + tanh(u)) = x * logistic(2 u), u = sqrt(2 / pi) * (x + 0.044715 x^3).
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  as silu's.
/// Source:    Keras, gelu with approximation; composite cornu.gelu_tanh.
ir::Value gelu_tanh(ir::Builder& builder, ir::Value x);

/// The derivatives of silu and gelu_tanh, elementwise.
///
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  by the parts of their definitions.
/// Source:    composites cornu.silu_slope and cornu.gelu_tanh_slope.
ir::Value silu_slope(ir::Builder& builder, ir::Value x);
ir::Value gelu_tanh_slope(ir::Builder& builder, ir::Value x);

namespace silu_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
