#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Puts a value before, after and between the elements; negative edges cut instead.
///
/// Semantics: result[i] = x[j] where i = edge_padding_low + j * (interior_padding + 1), else padding_value.
/// Shapes:    dim(result, d) = low + n + max(n - 1, 0) * interior + high; padding_value: scalar.
/// Types:     any; both operands share one dtype, which is the result's.
/// Errors:    InvalidArgument when (C1) dtypes differ or padding_value is not a scalar, (C2) a list's size is
///            not the rank, (C3) interior_padding is negative, (C4) a result's extent is negative.
/// Gradient:  x: the slice that undoes the padding; padding_value: the sum of the rest.
/// Source:    StableHLO specification, pad.
ir::Value pad(ir::Builder& builder, ir::Value x, ir::Value padding_value, ir::Dims edge_padding_low,
              ir::Dims edge_padding_high, ir::Dims interior_padding);

namespace pad_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
