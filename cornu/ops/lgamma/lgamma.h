#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// log |gamma(x)|; infinite at 0, -1, -2, ...
///
/// Semantics: [3/2, 5/2): (x - 2) times a polynomial; brought there from [0, 3/2) and [5/2, 8) by log of a
///            product; from 8 on by the series of Stirling; below 0 by reflection. Computed in f64.
/// Shapes:    the result has the shape of x.
/// Types:     float; the result has the dtype of x.
/// Errors:    InvalidArgument for other dtypes.
/// Accuracy:  x > 0: 0.51 units in the last place of f32, 16 of f64; x < 0: as many of max(1, |result|). On
///            the reference backend.
/// Gradient:  dy * digamma(x).
/// Source:    Abramowitz and Stegun, 6.1; polynomial by tools/special_functions.py; composite cornu.lgamma.
ir::Value lgamma(ir::Builder& builder, ir::Value x);

namespace lgamma_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
