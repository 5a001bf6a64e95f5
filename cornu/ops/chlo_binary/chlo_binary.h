#pragma once

#include <span>

#include "cornu/ir/builder.h"

/// Functions of CHLO of two operands, as composites of StableHLO's ops: cornu.next_after, ...
///
/// Semantics: elementwise.
/// Shapes:    the operands', which share one.
/// Types:     next_after, zeta, polygamma: floats; mulhi: integers. The operands share one dtype, the result's.
///            zeta and polygamma are computed in f64.
/// Errors:    InvalidArgument when dtypes or shapes differ, or the dtype is another.
/// Gradient:  next_after and mulhi: none; zeta: of q; polygamma: of x.
/// Source:    CHLO.
namespace cornu::inline v0::ops {

/// The next number from x in the direction of y; y if they are equal.
ir::Value next_after(ir::Builder& b, ir::Value x, ir::Value y);
/// The upper half of the bits of a product.
ir::Value mulhi(ir::Builder& b, ir::Value x, ir::Value y);
/// Hurwitz's zeta function, the sum over k >= 0 of (q + k)^-x, for x > 1.
ir::Value zeta(ir::Builder& b, ir::Value x, ir::Value q);
/// The n-th derivative of digamma at x, for whole n >= 0.
ir::Value polygamma(ir::Builder& b, ir::Value n, ir::Value x);

namespace chlo_binary_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
