#pragma once

#include "cornu/ir/builder.h"

/// Small floats as f32 numbers, and as ui8 bits.
namespace cornu::inline v0::transform {

/// f32 numbers of the bits of a small float, by a table.
ir::Value decode_small_float(ir::Builder& builder, ir::Value bits, ir::DType small);
/// Rounds f32 or f64 to the numbers of a small float; the result is f32.
ir::Value round_to_small_float(ir::Builder& builder, ir::Value x, ir::DType small);
/// The bits of f32 numbers that the small float has.
ir::Value encode_small_float(ir::Builder& builder, ir::Value x, ir::DType small);

}  // namespace cornu::inline v0::transform
