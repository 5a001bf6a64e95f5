#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// exp(x) normalized to the sum 1 along an axis.
///
/// Semantics: e / sum(e) with e = exp(x - max(x)), so that large x do not overflow.
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes and for an axis outside [-rank, rank). A negative axis counts
///            from the end.
/// Gradient:  y * (dy - sum(dy * y, axis)).
/// Source:    Keras, softmax; composite cornu.softmax.
ir::Value softmax(ir::Builder& builder, ir::Value x, std::int64_t axis = -1);

namespace softmax_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
