#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Rounds to a narrower float format and back.
///
/// Semantics: result[i] = x[i] in a format of `exponent_bits` and `mantissa_bits`, rounded to nearest even;
///            what is too large becomes infinite, what is smaller than the format's normal numbers becomes
///            zero of the same sign. NaN stays (or becomes infinite when there is no mantissa). A format at
///            least as wide as x's own changes nothing in that part.
/// Shapes:    result: as x.
/// Types:     floats.
/// Errors:    InvalidArgument when (I1) x is not floating-point, (C2) exponent_bits < 1, (C3) mantissa_bits <
///            0. ((C1) holds by inference.)
/// Gradient:  the incoming gradient, rounded the same way.
/// Source:    StableHLO specification, reduce_precision.
ir::Value reduce_precision(ir::Builder& builder, ir::Value x, std::int64_t exponent_bits,
                           std::int64_t mantissa_bits);

namespace reduce_precision_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
