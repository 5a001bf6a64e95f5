#pragma once

#include <span>

#include "cornu/base/checked_size.h"
#include "cornu/ops/all.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/value/default_float.h"
#include "cornu/tensor/value/tensor.h"

/// Shared by the sources of this folder; not part of the interface.
namespace cornu::inline v0::ops::internal {

using detail::default_float;
using detail::OpKey;
using detail::run_op;
using detail::run_op_many;
using Values = std::span<const ir::Value>;
using UnaryFn = ir::Value (*)(ir::Builder&, ir::Value);
using BinaryFn = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);

/// NumPy's broadcast of two shapes. Errors: InvalidArgument with `op` and both shapes.
Dims broadcast_shapes(const Dims& x, const Dims& y, const char* op);

/// The axis as a number in [0, rank). Errors: InvalidArgument with `op`, the axis and the rank.
std::int64_t normalized_axis(std::int64_t axis, std::int64_t rank, const char* op);
/// The dimensions begin, begin + 1, ..., end - 1; empty unless begin < end.
Dims dimensions_between(std::int64_t begin, std::int64_t end);
/// The extent of a dimension.
inline std::int64_t extent(const Dims& dims, std::int64_t dimension) {
  return dims[static_cast<std::size_t>(dimension)];
}
inline std::int64_t& extent(Dims& dims, std::int64_t dimension) {
  return dims[static_cast<std::size_t>(dimension)];
}
/// Rejects a result that can never fit in memory, before it is made. A trace does not check available memory:
/// a fused result needs none.
/// Errors: ResourceExhausted with `op` and the bytes.
void check_result(const char* op, const TensorType& type);
/// Checks a computed extent. Errors: ResourceExhausted with `op` if it exceeds 63 bits.
std::int64_t checked_extent(const char* op, CheckedSize extent);
/// The dtype for positions up to `largest`.
DType index_dtype(std::int64_t largest);

Tensor as_dtype(const Tensor& x, DType dtype);
/// Converts integers and booleans to the default float, as in Keras. Errors: InvalidArgument with the calling function for complex
/// numbers.
Tensor as_float(const Tensor& x, const char* caller = __builtin_FUNCTION());
/// Converts integers and booleans to the default float; floats and complex numbers stay.
Tensor as_inexact(const Tensor& x);
Tensor as_bool(const Tensor& x);
/// Converts booleans to i32.
Tensor as_number(const Tensor& x);
/// int8_dot of two i8.
Tensor int8_product(const Tensor& x, const Tensor& y, const DotDimensions& dimensions);
/// The largest finite number of a float dtype; for other dtypes that of f64.
double largest(DType dtype);
/// The accumulation dtype: f32 for f16 and bf16, else the dtype itself.
DType accumulation_dtype(DType dtype);

Tensor unary(const char* name, const Tensor& x, UnaryFn op);
/// Applies the operation to x as a float or complex number; the operation refuses those that it does not take.
Tensor float_unary(const char* name, const Tensor& x, UnaryFn op);
/// Applies the operation to both operands, converted to `dtype` and broadcast.
Tensor binary_of_dtype(const char* name, const Tensor& x, const Tensor& y, DType dtype, BinaryFn op);
/// Applies the operation in promote()'s dtype.
Tensor binary(const char* name, const Tensor& x, const Tensor& y, BinaryFn op);
/// Applies the operation in Keras's float dtype: promote()'s if it is a float or complex, else the default float.
Tensor float_binary(const char* name, const Tensor& x, const Tensor& y, BinaryFn op);
/// promote()'s dtype if it is a float or complex, else the default float.
DType promote_to_float(const Tensor& x, const Tensor& y);
/// The promoted dtype of all tensors. Errors: InvalidArgument with `op` if there are none.
DType promote_all(std::span<const Tensor> tensors, const char* op);

}  // namespace cornu::inline v0::ops::internal
