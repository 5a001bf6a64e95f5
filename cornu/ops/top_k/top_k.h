#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The largest elements along the last dimension, in descending order, and their positions.
///
/// Semantics: values[..., j] is the j-th largest of operand[..., :], indices[..., j] its position; of equal
///            elements the first comes first. Floats are in total order: NaN is the largest.
/// Shapes:    operand [d..., n]  ->  values and indices [d..., k]
/// Types:     any; indices: i32.
/// Errors:    InvalidArgument when the operand is a scalar or k is outside [0, n].
/// Gradient:  values: each gradient goes back to where its element came from.
/// Source:    CHLO, top_k; composite chlo.top_k.
std::vector<ir::Value> top_k(ir::Builder& builder, ir::Value operand, std::int64_t k);

namespace top_k_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
