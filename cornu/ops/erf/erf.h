#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.
///
/// Semantics: |x| < 1/2: x times a polynomial in x^2; else 1 - erfc(|x|) with the sign of x. Halves are
///            computed in f32.
/// Shapes:    the result has the shape of x.
/// Types:     float; the result has the dtype of x.
/// Errors:    InvalidArgument for other dtypes.
/// Accuracy:  4 units in the last place of f32 and f64, on the reference backend.
/// Gradient:  dy * 2 / sqrt(pi) * exp(-x^2).
/// Source:    Abramowitz and Stegun, chapter 7; polynomials by tools/special_functions.py; composite
///            cornu.erf.
ir::Value erf(ir::Builder& builder, ir::Value x);

/// 1 - erf(x), without the loss of digits for large x.
///
/// Semantics: x >= 1/2: exp(-x^2) times a polynomial in (x - c) / (x + c), divided by 1 + 2x; x^2 is split so
/// that exp sees all of it. Shapes, types, errors and accuracy: as erf; 8 units in the last place down to the
/// smallest normal number.
/// Gradient:  the negative of that of erf.
/// Source:    as erf; composite cornu.erfc.
ir::Value erfc(ir::Builder& builder, ir::Value x);

namespace erf_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
