#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Permutes the dimensions.
///
/// Semantics: result[i] = x[j] with i[d] = j[permutation[d]].
/// Shapes:    dim(result, d) = dim(x, permutation[d]).
/// Types:     any; the result has x's dtype.
/// Errors:    InvalidArgument when (C2) permutation is not a permutation of [0, rank). (C1 and C3 hold by
///            construction.)
/// Gradient:  the transpose by the inverse permutation.
/// Source:    StableHLO specification, transpose.
ir::Value transpose(ir::Builder& builder, ir::Value x, ir::Dims permutation);

namespace transpose_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
