#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::ops {

/// Reads the bits of the elements as another dtype of the same width.
///
/// Shapes:    operand: [d...]  ->  [d...]
/// Types:     any to any of the same bit width (the specification's splitting and joining of elements is not supported yet).
///            Attribute "dtype" (DType) is the result's.
/// Errors:    InvalidArgument when (C1) the widths differ.
/// Gradient:  none.
/// Source:    StableHLO specification, bitcast_convert.
ir::Value bitcast_convert(ir::Builder& b, ir::Value operand, ir::DType dtype);

namespace bitcast_convert_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::ops
