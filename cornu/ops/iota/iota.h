#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Counts along one dimension: 0, 1, 2, ...
///
/// Semantics: result[..., i, ...] = i along `iota_dimension`, in the result's dtype.
/// Shapes:    ->  type.dims
/// Types:     integers and floats. Attributes: "iota_dimension" (int64), "dims" (list), "dtype" (DType).
/// Errors:    InvalidArgument when (C1) `iota_dimension` is outside [0, rank), (I1) the dtype is i1.
/// Source:    StableHLO specification, iota.
ir::Value iota(ir::Builder& b, const ir::TensorType& type, std::int64_t iota_dimension);

namespace iota_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
