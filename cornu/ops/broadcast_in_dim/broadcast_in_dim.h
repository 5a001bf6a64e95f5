#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Repeats a tensor along new or size-1 dimensions of a larger shape.
///
/// Semantics: result[i] = x[j] with j[d] = 0 when x's extent d is 1, else i[broadcast_dimensions[d]].
/// Shapes:    x: any; result: result_dims.
/// Types:     any; the result has x's dtype.
/// Errors:    InvalidArgument when (C2) size(broadcast_dimensions) != rank(x), (C3) one is outside [0,
///            rank(result)), (C4) they repeat, (C5) an extent of x is neither 1 nor that of the result. (C1,
///            the element type, holds by construction.)
/// Gradient:  sum over the dimensions that were repeated.
/// Source:    StableHLO specification, broadcast_in_dim.
ir::Value broadcast_in_dim(ir::Builder& builder, ir::Value x, ir::Dims result_dims,
                           ir::Dims broadcast_dimensions);

/// A scalar in every element of `dims`.
ir::Value broadcast_scalar(ir::Builder& builder, ir::Value x, ir::Dims dims);

/// NumPy's rule: x's shape is aligned with the end of `dims`; extents of 1 are repeated. Returns x itself
/// when nothing changes.
ir::Value broadcast_to(ir::Builder& builder, ir::Value x, const ir::Dims& dims);

/// x's dimensions come first in `dims`, what follows is new: a value per row becomes a value per element of
/// the row.
ir::Value broadcast_leading(ir::Builder& builder, ir::Value x, const ir::Dims& dims);

namespace broadcast_in_dim_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
