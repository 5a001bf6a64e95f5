#pragma once

#include <span>

#include "cornu/base/checked_size.h"
#include "cornu/ops/all.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/value/tensor.h"

/// What the sources of this folder share; no part of the interface.
namespace cornu::inline v0::ops::internal {

using detail::OpKey;
using detail::run_op;
using detail::run_op_many;
using Values = std::span<const ir::Value>;
using UnaryFn = ir::Value (*)(ir::Builder&, ir::Value);
using BinaryFn = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);

/// NumPy's broadcast of two shapes. Errors: InvalidArgument naming `op` and both.
Dims broadcast_shapes(const Dims& x, const Dims& y, const char* op);

/// The axis as a number in [0, rank). Errors: InvalidArgument naming `op`, the axis and the rank.
std::int64_t normalized_axis(std::int64_t axis, std::int64_t rank, const char* op);
/// The dimensions begin, begin + 1, ... before `end`; none when `end` is not behind `begin`.
Dims dimensions_between(std::int64_t begin, std::int64_t end);
/// The extent of a dimension.
inline std::int64_t extent(const Dims& dims, std::int64_t dimension) {
  return dims[static_cast<std::size_t>(dimension)];
}
inline std::int64_t& extent(Dims& dims, std::int64_t dimension) {
  return dims[static_cast<std::size_t>(dimension)];
}
/// Refuses a result that can never be, before anything of it is made. In a trace no memory is asked for: what
/// is fused needs none.
/// Errors: ResourceExhausted naming `op` with the bytes.
void check_result(const char* op, const TensorType& type);
/// An extent that was computed. Errors: ResourceExhausted naming `op` when it is beyond 63 bits.
std::int64_t checked_extent(const char* op, CheckedSize extent);
/// The dtype of positions up to `largest`.
DType index_dtype(std::int64_t largest);

Tensor as_dtype(const Tensor& x, DType dtype);
/// Integers and booleans become f32, as in Keras.
Tensor as_float(const Tensor& x);
Tensor as_bool(const Tensor& x);
/// Booleans become i32.
Tensor as_number(const Tensor& x);
/// Largest finite number of a float dtype; of other dtypes that of f64.
double largest(DType dtype);
/// The dtype that f16 and bf16 are accumulated in: f32; others stay.
DType accumulation_dtype(DType dtype);

Tensor unary(const char* name, const Tensor& x, UnaryFn op);
/// The operation on x as a float.
Tensor float_unary(const char* name, const Tensor& x, UnaryFn op);
/// The operation on both operands in `dtype`, which are broadcast.
Tensor binary_of_dtype(const char* name, const Tensor& x, const Tensor& y, DType dtype, BinaryFn op);
/// The operation in promote()'s dtype.
Tensor binary(const char* name, const Tensor& x, const Tensor& y, BinaryFn op);
/// The operation in the float dtype that Keras gives: promote()'s, or f32.
Tensor float_binary(const char* name, const Tensor& x, const Tensor& y, BinaryFn op);
/// promote() when it is a float, else f32.
DType promote_to_float(const Tensor& x, const Tensor& y);
/// promote() of all of them. Errors: InvalidArgument naming `op` when there is none.
DType promote_all(std::span<const Tensor> tensors, const char* op);

}  // namespace cornu::inline v0::ops::internal
