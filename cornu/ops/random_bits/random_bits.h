#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Random 32-bit words that depend on (key, counter1, row-major index) alone, so more rows do not change the
/// rows before.
///
/// Semantics: result[i] = w0 ^ w1 with (w0, w1) = threefry2x32(key, counter (i, counter1)), i the row-major
///            index.
/// Shapes:    key0, key1, counter1: scalars; result: dims, at most 2^32 elements.
/// Types:     ui32.
/// Errors:    InvalidArgument when an operand is not a ui32 scalar or there are too many elements.
/// Gradient:  none.
/// Source:    JAX's partitionable threefry in spirit; composite cornu.random_bits.
ir::Value random_bits(ir::Builder& builder, ir::Value key0, ir::Value key1, ir::Value counter1,
                      ir::Dims dims);

namespace random_bits_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
