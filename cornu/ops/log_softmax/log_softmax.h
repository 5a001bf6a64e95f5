#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// log(softmax(x)) along an axis, without the logarithm of a vanishing number.
///
/// Semantics: s - log(sum(exp(s))) with s = x - max(x).
/// Shapes:    the result has x's shape.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes and for an axis outside [-rank, rank). A negative axis counts
///            from the end.
/// Gradient:  dy - exp(y) * sum(dy, axis).
/// Source:    Keras, log_softmax; composite cornu.log_softmax.
ir::Value log_softmax(ir::Builder& builder, ir::Value x, std::int64_t axis = -1);

namespace log_softmax_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
