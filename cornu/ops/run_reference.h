#pragma once

#include <vector>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Runs an op's reference kernel. Kernels that compute have no code for f16 and bf16
/// (OpDef::reference_by_f32): their operands are widened to f32 and what they return is rounded, once, to
/// nearest even.
std::vector<ir::Literal> run_reference(const ir::ReferenceContext& context);

/// A floating-point literal in another float dtype; halves are rounded from f64 to nearest even.
ir::Literal with_float_dtype(const ir::Literal& literal, ir::DType dtype);

inline bool is_half(ir::DType dtype) { return dtype == ir::DType::kF16 || dtype == ir::DType::kBF16; }

}  // namespace cornu::inline v0::ops
