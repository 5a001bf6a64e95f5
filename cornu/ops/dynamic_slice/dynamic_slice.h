#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Cuts a box of a fixed size out of a tensor, at a position that is a value.
///
/// Semantics: result[i] = x[clamp(0, start_indices, shape(x) - slice_sizes) + i].
/// Shapes:    start_indices: one scalar a dimension; result: slice_sizes.
/// Types:     x: any, the result's; start_indices: one integer dtype.
/// Errors:    InvalidArgument when (C2) the number of start_indices or sizes is not the rank, (C3)
///            start_indices are not integer scalars of one type, (C4) not 0 <= slice_sizes <= shape(x). (C1
///            and C5 hold by construction.)
/// Gradient:  a dynamic_update_slice of zeros; none for start_indices.
/// Source:    StableHLO specification, dynamic_slice.
ir::Value dynamic_slice(ir::Builder& builder, ir::Value x, std::vector<ir::Value> start_indices,
                        ir::Dims slice_sizes);

namespace dynamic_slice_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
