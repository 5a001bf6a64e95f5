#pragma once

#include <span>

#include "cornu/ops/dot_general/dot_general.h"

namespace cornu::inline v0::ops {

/// Sums of products of int8 in int32, over the contracting dimensions, for each batch.
///
/// Semantics: dot_general of both operands converted to i32; sums wrap around.
/// Shapes:    those of dot_general.
/// Types:     i8 operands, an i32 result.
/// Errors:    InvalidArgument when an operand is not i8, and for (C1..C10) of dot_general.
/// Gradient:  none, as of all integers.
/// Source:    Cornu's composite for StableHLO's dot_general of i8 operands with an i32 result.
ir::Value int8_dot(ir::Builder& builder, ir::Value lhs, ir::Value rhs, const DotDimensions& dimensions);

namespace int8_dot_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
