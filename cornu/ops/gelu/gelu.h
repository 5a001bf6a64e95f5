#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// x times the share of a normal distribution below x, elementwise: the Gaussian error linear unit.
///
/// Semantics: x / 2 * erfc(-x / sqrt(2)).
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  dy times one factor that depends on x alone, so that a training step keeps no other tensor of
///            the forward pass.
/// Source:    Keras, gelu without approximation; composite cornu.gelu.
ir::Value gelu(ir::Builder& builder, ir::Value x);

/// The derivative of gelu, elementwise: the share of a normal distribution below x, and x times its density at x.
///
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  dy * (2 - x^2) * density(x).
/// Source:    composite cornu.gelu_slope.
ir::Value gelu_slope(ir::Builder& builder, ir::Value x);

namespace gelu_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
