#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Reads the bits of the elements as another dtype.
///
/// Semantics: an element of a wider dtype is split into, or made of, the elements along a last dimension; the
///            first has the lowest bits.
/// Shapes:    [d...]  ->  [d...] for one width, [d..., from / to] for a narrower dtype, [d...] without the
///            last for a wider one.
/// Types:     any but i1 to any but i1; i1 to itself. Attribute "dtype" (DType) is the result's.
/// Errors:    InvalidArgument when (C1) the last dimension is not what makes one element of a wider dtype.
/// Gradient:  none.
/// Source:    StableHLO specification, bitcast_convert.
ir::Value bitcast_convert(ir::Builder& b, ir::Value operand, ir::DType dtype);

namespace bitcast_convert_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
