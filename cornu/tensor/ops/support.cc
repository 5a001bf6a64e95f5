#include "cornu/tensor/ops/support.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::ops {
namespace internal {

Dims broadcast_shapes(const Dims& x, const Dims& y, const char* op) {
  Dims result(std::max(x.size(), y.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {  // from the end
    const std::int64_t from_x = i < x.size() ? x[x.size() - 1 - i] : 1;
    const std::int64_t from_y = i < y.size() ? y[y.size() - 1 - i] : 1;
    if (from_x != from_y && from_x != 1 && from_y != 1)
      invalid_argument("[{}] shapes {} and {} cannot be broadcast together", op, ir::shape_str(x),
                       ir::shape_str(y));
    result[result.size() - 1 - i] = from_x == 1 ? from_y : from_x;
  }
  return result;
}

Dims dimensions_between(std::int64_t begin, std::int64_t end) {
  Dims result(static_cast<std::size_t>(std::max<std::int64_t>(0, end - begin)));
  std::iota(result.begin(), result.end(), begin);
  return result;
}

std::int64_t normalized_axis(std::int64_t axis, std::int64_t rank, const char* op) {
  if (axis < -rank || axis >= rank)
    invalid_argument({.argument = "axis"},
                     "[{}] axis must be in [{}, {}) for a tensor of rank {}; got axis = {}", op, -rank, rank,
                     rank, axis);
  return axis < 0 ? axis + rank : axis;
}

void check_result(const char* op, const TensorType& type) {
  const CheckedSize num_bytes = CheckedSize::product(type.dims) * ir::size_bytes(type.dtype);
  if (num_bytes.is_beyond() || (Trace::current() == nullptr && !fits_memory(num_bytes)))
    fail_no_memory(num_bytes, fmt::format("[{}] a result of shape {}", op, ir::shape_str(type.dims)));
}

std::int64_t checked_extent(const char* op, CheckedSize extent) {
  return extent.value([&] { return fmt::format("[{}] the result's extent", op); });
}

DType index_dtype(std::int64_t largest) {
  return std::in_range<std::int32_t>(largest) ? DType::kI32 : DType::kI64;
}

Tensor as_dtype(const Tensor& x, DType dtype) {
  return x.is_weak() ? x.strong_scalar(dtype) : cast(x, dtype);
}
Tensor as_inexact(const Tensor& x) {
  return ir::is_float(x.dtype()) || ir::is_complex(x.dtype()) ? x : as_dtype(x, default_float());
}
Tensor as_float(const Tensor& x, const char* caller) {
  if (ir::is_complex(x.dtype()))
    invalid_argument(
        "[{}] takes real numbers; got {}. Give it ops::real, ops::imag or ops::abs of the complex numbers",
        caller, type_str(x.type()));
  return as_inexact(x);
}
Tensor as_bool(const Tensor& x) { return x.dtype() == DType::kI1 ? x : not_equal(x, 0); }
Tensor as_number(const Tensor& x) { return x.dtype() == DType::kI1 ? as_dtype(x, DType::kI32) : x; }

double largest(DType dtype) {
  switch (dtype) {
    case DType::kF16: return 65504;
    case DType::kBF16: return 0x1.fep127;
    case DType::kF32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

DType accumulation_dtype(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16 ? DType::kF32 : dtype;
}

Tensor unary(const char* name, const Tensor& x, UnaryFn op) {
  return run_op(OpKey(name), {&x, 1}, [&](ir::Builder& b, Values v) { return op(b, v[0]); });
}

Tensor float_unary(const char* name, const Tensor& x, UnaryFn op) { return unary(name, as_inexact(x), op); }

Tensor binary_of_dtype(const char* name, const Tensor& x, const Tensor& y, DType dtype, BinaryFn op) {
  const Dims dims = broadcast_shapes(x.shape(), y.shape(), name);
  const std::array inputs = {as_dtype(x, dtype), as_dtype(y, dtype)};
  return run_op(OpKey(name), inputs, [&](ir::Builder& b, Values v) {
    return op(b, broadcast_to(b, v[0], dims), broadcast_to(b, v[1], dims));
  });
}

Tensor binary(const char* name, const Tensor& x, const Tensor& y, BinaryFn op) {
  return binary_of_dtype(name, x, y, promote(x, y), op);
}

DType promote_to_float(const Tensor& x, const Tensor& y) {
  const DType dtype = promote(x, y);
  return ir::is_float(dtype) || ir::is_complex(dtype) ? dtype : default_float();
}

Tensor float_binary(const char* name, const Tensor& x, const Tensor& y, BinaryFn op) {
  return binary_of_dtype(name, x, y, promote_to_float(x, y), op);
}

DType promote_all(std::span<const Tensor> tensors, const char* op) {
  if (tensors.empty()) invalid_argument("[{}] there is no tensor", op);
  Tensor widest = tensors[0];
  for (const Tensor& tensor : tensors.subspan(1)) {
    const DType dtype = promote(widest, tensor);
    if (dtype != widest.dtype() || widest.is_weak()) widest = Tensor::zeros({}, dtype);
  }
  return widest.dtype();
}

}  // namespace internal

namespace {

/// The dtype of a tensor with a number in a call: the tensor's, unless the number is of a higher kind.
DType promote_weak(DType weak, DType strong) {
  if (ir::is_complex(strong)) return strong;
  if (ir::is_float(weak) && !ir::is_float(strong)) return detail::default_float();
  return strong == DType::kI1 ? weak : strong;
}

/// The integer dtype that holds the values of both; the default float where there is none, as in Keras.
DType promote_signs(DType signed_dtype, DType unsigned_dtype) {
  const int unsigned_width = ir::bit_width(unsigned_dtype);
  if (ir::bit_width(signed_dtype) > unsigned_width) return signed_dtype;
  if (unsigned_width >= 64) return detail::default_float();
  return unsigned_width == 8 ? DType::kI16 : unsigned_width == 16 ? DType::kI32 : DType::kI64;
}

/// 0: i1, 1: integer, 2: float.
int kind_of(DType dtype) { return ir::is_float(dtype) ? 2 : dtype == DType::kI1 ? 0 : 1; }

/// The complex dtype for two dtypes of which one is complex.
DType promote_complex(DType x, DType y) {
  return ir::real_dtype(x) == DType::kF64 || ir::real_dtype(y) == DType::kF64 ? DType::kC128 : DType::kC64;
}

DType promote_dtypes(DType x, DType y) {
  if (ir::is_complex(x) || ir::is_complex(y)) return promote_complex(x, y);
  if (kind_of(x) != kind_of(y)) return kind_of(x) > kind_of(y) ? x : y;
  const DType wider = ir::bit_width(x) > ir::bit_width(y) ? x : y;
  if (ir::is_float(x)) return ir::bit_width(x) == ir::bit_width(y) ? DType::kF32 : wider;  // f16 with bf16
  if (ir::is_signed_integer(x) == ir::is_signed_integer(y)) return wider;
  return ir::is_signed_integer(x) ? promote_signs(x, y) : promote_signs(y, x);
}

}  // namespace

DType promote(const Tensor& x, const Tensor& y) {
  if (x.dtype() == y.dtype()) return x.dtype();
  if (x.is_weak() == y.is_weak()) return promote_dtypes(x.dtype(), y.dtype());
  return x.is_weak() ? promote_weak(x.dtype(), y.dtype()) : promote_weak(y.dtype(), x.dtype());
}

Dims Axes::normalized(std::int64_t rank, const char* op) const {
  Dims result;
  if (all_) {
    result.resize(static_cast<std::size_t>(rank));
    std::iota(result.begin(), result.end(), 0);
    return result;
  }
  for (const std::int64_t axis : axes_) result.push_back(internal::normalized_axis(axis, rank, op));
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    invalid_argument("[{}] axis {} is given twice", op, axes_);
  return result;
}

}  // namespace cornu::inline v0::ops
