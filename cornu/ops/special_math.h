#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

/// Building blocks of the composites of special functions.
namespace cornu::inline v0::ops {

/// A tensor of x's type whose elements all are `value`.
ir::Value number(ir::Builder& builder, ir::Value x, double value);

/// c[0] + c[1] x + c[2] x^2 + ..., by Horner's scheme.
ir::Value polynomial(ir::Builder& builder, ir::Value x, std::span<const double> coefficients);

/// Builds an elementwise function of f32 or f64; halves are computed in f32 and rounded.
template <typename Build>
ir::Value in_full_precision(ir::Builder& builder, ir::Value x, Build&& build);

/// The same in f64, for functions whose f32 results would lose digits to cancellation.
template <typename Build>
ir::Value in_double_precision(ir::Builder& builder, ir::Value x, Build&& build);

/// x - round(x), pi times: what sin and cos of pi x need, up to their signs.
ir::Value fraction_of_turn(ir::Builder& builder, ir::Value x);

/// The shape rule of composites that map floats to floats.
std::vector<ir::TensorType> infer_float_function(const ir::InferContext& context);

/// The same for functions that are also of complex numbers.
std::vector<ir::TensorType> infer_float_or_complex_function(const ir::InferContext& context);

ir::Value to_working_precision(ir::Builder& builder, ir::Value x);
ir::Value to_double_precision(ir::Builder& builder, ir::Value x);
ir::Value from_working_precision(ir::Builder& builder, ir::Value y, ir::DType dtype);

template <typename Build>
ir::Value in_full_precision(ir::Builder& builder, ir::Value x, Build&& build) {
  return from_working_precision(builder, build(builder, to_working_precision(builder, x)), x.dtype());
}

template <typename Build>
ir::Value in_double_precision(ir::Builder& builder, ir::Value x, Build&& build) {
  return from_working_precision(builder, build(builder, to_double_precision(builder, x)), x.dtype());
}

}  // namespace cornu::inline v0::ops
