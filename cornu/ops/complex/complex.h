#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"

/// Complex numbers and their parts.
///
/// Shapes:    [d...]  ->  [d...]
/// Types:     real, imag: complex or f16, bf16, f32, f64 (the number itself, and 0); complex: f32 or f64.
/// Errors:    InvalidArgument when (I1) an operand has another dtype, (C1) the operands of complex have
///            different types.
/// Gradient:  JAX's convention: the gradient of a real loss L at x + iy is dL/dx - i dL/dy.
/// Source:    StableHLO specification, real, imag and complex.
namespace cornu::inline v0::ops {

ir::Value real(ir::Builder& b, ir::Value x);
ir::Value imag(ir::Builder& b, ir::Value x);
ir::Value complex(ir::Builder& b, ir::Value real, ir::Value imag);

/// The complex conjugate; a float is its own.
ir::Value conjugate(ir::Builder& b, ir::Value x);

/// The parts of interleaved complex numbers, f32[d..., 2] -> f32[d...] twice, and back: composites for
/// the edges of programs on devices that compute with parts.
std::vector<ir::Value> split_parts(ir::Builder& b, ir::Value x);
ir::Value join_parts(ir::Builder& b, ir::Value real, ir::Value imag);

namespace complex_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
