#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Cuts a box with strides out of a tensor, at positions that are known when the graph is built.
///
/// Semantics: result[i] = x[start_indices + i * strides].
/// Shapes:    dim(result, d) = ceil((limit_indices[d] - start_indices[d]) / strides[d]).
/// Types:     any; the result has x's dtype.
/// Errors:    InvalidArgument when (C2) a list's size is not the rank, (C3) not 0 <= start <= limit <=
///            extent, (C4) a stride is not positive. (C1 and C5 hold by construction.)
/// Gradient:  pad with zeros back to x's shape.
/// Source:    StableHLO specification, slice.
ir::Value slice(ir::Builder& builder, ir::Value x, ir::Dims start_indices, ir::Dims limit_indices,
                ir::Dims strides);

namespace slice_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
