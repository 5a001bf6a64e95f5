#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The inverse of erf on (-1, 1); infinite at -1 and 1, NaN beyond.
///
/// Semantics: x times a polynomial in w = -log(1 - x^2), or in sqrt(w) for larger ones. Halves are computed
///            in f32.
/// Shapes:    the result has the shape of x.
/// Types:     float; the result has the dtype of x.
/// Errors:    InvalidArgument for other dtypes.
/// Accuracy:  6 units in the last place of f32 and f64, on the reference backend.
/// Gradient:  dy * sqrt(pi) / 2 * exp(y^2).
/// Source:    the variable w is that of M. Giles, Approximating the erfinv function (2010); polynomials by
///            tools/special_functions.py; composite cornu.erf_inv.
ir::Value erf_inv(ir::Builder& builder, ir::Value x);

namespace erf_inv_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
