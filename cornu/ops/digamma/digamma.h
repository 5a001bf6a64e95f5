#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The derivative of log gamma(x); NaN at 0, -1, -2, ...
///
/// Semantics: x >= 10: log x - 1 / (2x) - the series in 1 / x^2; below by digamma(x + 1) - 1 / x; below 0 by
///            reflection. Computed in f64.
/// Shapes:    the result has the shape of x.
/// Types:     float; the result has the dtype of x.
/// Errors:    InvalidArgument for other dtypes.
/// Accuracy:  0.51 units in the last place of max(1, |result|) in f32, 16 in f64; on the reference backend.
/// Gradient:  that of the decomposition (trigamma).
/// Source:    Abramowitz and Stegun, 6.3; composite cornu.digamma.
ir::Value digamma(ir::Builder& builder, ir::Value x);

namespace digamma_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
