#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Overwrites a box of a tensor, at a position that is a value.
///
/// Semantics: result = x, but result[clamp(0, start_indices, shape(x) - shape(update)) + i] = update[i].
/// Shapes:    update: the rank of x and no larger; start_indices: one scalar a dimension; the result has x's
///            shape.
/// Types:     x and update: any, the same, the result's; start_indices: one integer dtype.
/// Errors:    InvalidArgument when (C2) dtypes of x and update differ, (C3) ranks differ, (C4) the number of
///            start_indices is not the rank, (C5) start_indices are not integer scalars of one type, (C6)
///            update is larger than x. (C1 holds by construction.)
/// Gradient:  x: the gradient with the box set to zero; update: the box of the gradient.
/// Source:    StableHLO specification, dynamic_update_slice.
ir::Value dynamic_update_slice(ir::Builder& builder, ir::Value x, ir::Value update,
                               std::vector<ir::Value> start_indices);

namespace dynamic_update_slice_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
