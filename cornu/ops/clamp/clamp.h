#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Limits a tensor to a range.
///
/// Semantics: result[i] = minimum(maximum(operand[i], min[i]), max[i]); scalar bounds serve all elements.
/// Shapes:    min: [] or [d...], operand: [d...], max: [] or [d...]  ->  [d...]
/// Types:     any; all three share one dtype, which is the result's.
/// Errors:    InvalidArgument when (C1) min or (C2) max is neither scalar nor shaped like operand, (C3)
///            dtypes differ.
/// Gradient:  to operand where min < operand < max, to min where operand < min, to max where operand > max;
///            nothing at the bounds themselves (as JAX).
/// Source:    StableHLO specification, clamp.
ir::Value clamp(ir::Builder& b, ir::Value min, ir::Value operand, ir::Value max);

namespace clamp_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
