#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Converts the elements to another dtype.
///
/// Semantics: floats round to nearest even; to an integer they truncate towards 0, saturate at its range, and
///            NaN gives 0 (the specification leaves these open; this is what XLA does); integers wrap modulo
///            2^n; to i1 is "not zero"; i1 gives 0 and 1.
/// Shapes:    operand: [d...]  ->  [d...]
/// Types:     any to any. Attribute "dtype" (DType) is the result's.
/// Errors:    none beyond the builder's: (C1) holds by inference.
/// Gradient:  converted back, when both dtypes are floats; else none.
/// Source:    StableHLO specification, convert.
ir::Value convert(ir::Builder& b, ir::Value operand, ir::DType dtype);

namespace convert_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
