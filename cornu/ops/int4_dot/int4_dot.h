#pragma once

#include <cstdint>
#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Product of a matrix by one of integers of four bits, whose groups of rows have a scale and a zero point for each
/// column.
///
/// Semantics: x . w, where w[k, n] = (q[k, n] - zero[g, n]) * scale[g, n] with g = k / group; of the signed integers
///            q of columns 2 i and 2 i + 1 the first is in the lower half of byte i of a row of `packed`.
/// Shapes:    x [m, k], packed [k, ceil(n / 2)], scale and zero [ceil(k / group), n] -> [m, n]
/// Types:     x, scale and zero f32, packed i8.
/// Errors:    InvalidArgument when types or shapes differ from these, and for a group that is not positive.
/// Gradient:  none; the layers that use it define that of x.
/// Source:    Cornu's composite for Keras's layers of int4.
ir::Value int4_dot(ir::Builder& builder, ir::Value x, ir::Value packed, ir::Value scale, ir::Value zero,
                   std::int64_t group);

namespace int4_dot_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
