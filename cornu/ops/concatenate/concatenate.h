#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Joins tensors along one dimension.
///
/// Semantics: result[..., i, ...] walks `inputs` in order along `dimension`.
/// Shapes:    inputs[k]: [d0, ..., n_k, ...]  ->  [d0, ..., sum(n_k), ...]
/// Types:     any; all inputs share one dtype, which is the result's.
/// Errors:    InvalidArgument when (C1) dtypes differ, (C2) ranks or other extents differ, (C3) `inputs` is
///            empty, (C4) `dimension` is outside [0, rank). (C5 and C6 hold by construction.)
/// Gradient:  slices of the incoming gradient.
/// Source:    StableHLO specification, concatenate.
ir::Value concatenate(ir::Builder& builder, std::vector<ir::Value> inputs, std::int64_t dimension);

namespace concatenate_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
