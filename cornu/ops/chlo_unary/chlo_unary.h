#pragma once

#include <span>

#include "cornu/ir/builder.h"

/// Functions of CHLO of one operand, as composites of StableHLO's ops: cornu.square, cornu.asin, ...
///
/// Semantics: elementwise, within 3 units in the last place (square and bessel_i1e: see SpecialFunctionsTest) over
///            the whole range; f16 and bf16 are computed in f32 and rounded once.
/// Shapes:    the operand's.
/// Types:     floats; square: also integers and complex numbers; is_inf, is_pos_inf and is_neg_inf give i1.
/// Errors:    InvalidArgument for other dtypes.
/// Gradient:  as in JAX.
/// Source:    CHLO.
namespace cornu::inline v0::ops {

ir::Value square(ir::Builder& b, ir::Value x);
ir::Value asin(ir::Builder& b, ir::Value x);
ir::Value acos(ir::Builder& b, ir::Value x);
ir::Value atan(ir::Builder& b, ir::Value x);
ir::Value sinh(ir::Builder& b, ir::Value x);
ir::Value cosh(ir::Builder& b, ir::Value x);
ir::Value asinh(ir::Builder& b, ir::Value x);
ir::Value acosh(ir::Builder& b, ir::Value x);
ir::Value atanh(ir::Builder& b, ir::Value x);
/// e^-|x| I1(x), the scaled modified Bessel function of the first kind.
ir::Value bessel_i1e(ir::Builder& b, ir::Value x);
ir::Value is_inf(ir::Builder& b, ir::Value x);
ir::Value is_pos_inf(ir::Builder& b, ir::Value x);
ir::Value is_neg_inf(ir::Builder& b, ir::Value x);

namespace chlo_unary_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
