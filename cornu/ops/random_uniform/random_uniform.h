#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Uniform random numbers in [0, 1) that depend on (key, counter1, row-major index) alone.
///
/// Semantics: f32: the 23 high bits of random_bits as the mantissa of a number in [1, 2), minus 1; f64: 52
///            bits of both threefry words.
/// Shapes:    key0, key1, counter1: scalars; result: type's, at most 2^32 elements.
/// Types:     operands: ui32; result: f32 or f64.
/// Errors:    InvalidArgument when an operand is not a ui32 scalar, the dtype is another or there are too
///            many elements.
/// Gradient:  none.
/// Source:    JAX's random.uniform in spirit; composite cornu.random_uniform.
ir::Value random_uniform(ir::Builder& builder, ir::Value key0, ir::Value key1, ir::Value counter1,
                         const ir::TensorType& type);

namespace random_uniform_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
