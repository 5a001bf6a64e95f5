#include "cornu/tensor/ops/linalg.h"

#include <algorithm>
#include <array>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/spectral.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
using namespace internal;

Tensor internal::int8_product(const Tensor& x, const Tensor& y, const DotDimensions& dimensions) {
  const std::array inputs = {x, y};
  const OpKey key("int8_dot", dimensions.lhs_batching, dimensions.rhs_batching, dimensions.lhs_contracting,
                  dimensions.rhs_contracting);
  return run_op(key, inputs, [&](ir::Builder& b, Values v) { return int8_dot(b, v[0], v[1], dimensions); });
}

namespace {

/// dot_general in `dtype`; f16 is left to the backend, which accumulates wider. Of two i8 into i32: int8_dot.
Tensor contract(const char* name, const Tensor& x, const Tensor& y, DType dtype,
                const DotDimensions& dimensions) {
  if (dtype == DType::kI32 && x.dtype() == DType::kI8 && y.dtype() == DType::kI8)
    return int8_product(x, y, dimensions);
  const std::array inputs = {as_dtype(x, dtype), as_dtype(y, dtype)};
  const OpKey key(name, dimensions.lhs_batching, dimensions.rhs_batching, dimensions.lhs_contracting,
                  dimensions.rhs_contracting);
  return run_op(key, inputs,
                [&](ir::Builder& b, Values v) { return dot_general(b, v[0], v[1], dimensions); });
}

[[noreturn]] void do_not_match(const char* op, const Tensor& x, const Tensor& y, const char* which) {
  invalid_argument("[{}] shapes {} and {} do not match: {}", op, ir::shape_str(x.shape()),
                   ir::shape_str(y.shape()), which);
}

}  // namespace

Tensor matmul(const Tensor& x, const Tensor& y) {
  if (x.rank() < 1 || y.rank() < 1) do_not_match("matmul", x, y, "numbers have no matrix product");
  const std::int64_t y_rows = y.rank() == 1 ? 0 : y.rank() - 2;
  if (x.shape().back() != extent(y.shape(), y_rows))
    do_not_match("matmul", x, y, "the first's last extent must be the second's last but one (or only one)");
  const bool widens = x.dtype() == DType::kI8 && y.dtype() == DType::kI8;
  const DType dtype = widens ? DType::kI32 : promote(x, y);
  if (y.rank() <= 2)
    return contract("matmul", x, y, dtype, {.lhs_contracting = {x.rank() - 1}, .rhs_contracting = {y_rows}});
  if (x.rank() == 1) {
    // dot_general puts the left operand's axes first: the right one goes left.
    return contract("matmul", y, x, dtype, {.lhs_contracting = {y_rows}, .rhs_contracting = {0}});
  }
  const Dims x_batch(x.shape().begin(), x.shape().end() - 2), y_batch(y.shape().begin(), y.shape().end() - 2);
  const Dims batch = broadcast_shapes(x_batch, y_batch, "matmul");
  Dims x_dims = batch, y_dims = batch;
  x_dims.insert(x_dims.end(), x.shape().end() - 2, x.shape().end());
  y_dims.insert(y_dims.end(), y.shape().end() - 2, y.shape().end());
  const auto num_batch = static_cast<std::int64_t>(batch.size());
  return contract("matmul", broadcast_to(x, x_dims), broadcast_to(y, y_dims), dtype,
                  {.lhs_batching = dimensions_between(0, num_batch),
                   .rhs_batching = dimensions_between(0, num_batch),
                   .lhs_contracting = {num_batch + 1},
                   .rhs_contracting = {num_batch}});
}

Tensor dot(const Tensor& x, const Tensor& y) {
  if (x.rank() == 0 || y.rank() == 0) return multiply(x, y);
  const std::int64_t y_axis = y.rank() == 1 ? 0 : y.rank() - 2;
  if (x.shape().back() != extent(y.shape(), y_axis))
    do_not_match("dot", x, y, "the first's last extent must be the second's last but one (or only one)");
  return contract("dot", x, y, promote(x, y),
                  {.lhs_contracting = {x.rank() - 1}, .rhs_contracting = {y_axis}});
}

Tensor inner(const Tensor& x, const Tensor& y) {
  if (x.rank() == 0 || y.rank() == 0) return multiply(x, y);
  if (x.shape().back() != y.shape().back()) do_not_match("inner", x, y, "the last extents must be equal");
  return contract("inner", x, y, promote(x, y),
                  {.lhs_contracting = {x.rank() - 1}, .rhs_contracting = {y.rank() - 1}});
}

Tensor outer(const Tensor& x, const Tensor& y) { return multiply(reshape(x, {-1, 1}), reshape(y, {1, -1})); }

Tensor vdot(const Tensor& x, const Tensor& y) {
  if (x.num_elements() != y.num_elements()) do_not_match("vdot", x, y, "there must be as many elements");
  const Tensor left = ir::is_complex(x.dtype()) ? conj(x) : x;
  return contract("vdot", ravel(left), ravel(y), promote(x, y),
                  {.lhs_contracting = {0}, .rhs_contracting = {0}});
}

Tensor tensordot(const Tensor& x, const Tensor& y, std::int64_t axes) {
  if (axes < 0 || axes > std::min(x.rank(), y.rank()))
    invalid_argument({.argument = "axes"}, "[tensordot] axes must be in [0, {}]; got axes = {}",
                     std::min(x.rank(), y.rank()), axes);
  return tensordot(x, y, dimensions_between(x.rank() - axes, x.rank()), dimensions_between(0, axes));
}

Tensor tensordot(const Tensor& x, const Tensor& y, const Axes& x_axes, const Axes& y_axes) {
  DotDimensions dimensions;
  (void)x_axes.normalized(x.rank(), "tensordot"),
      (void)y_axes.normalized(y.rank(), "tensordot");  // their errors
  for (const std::int64_t axis : x_axes.given())
    dimensions.lhs_contracting.push_back(normalized_axis(axis, x.rank(), "tensordot"));
  for (const std::int64_t axis : y_axes.given())
    dimensions.rhs_contracting.push_back(normalized_axis(axis, y.rank(), "tensordot"));
  bool fits = dimensions.lhs_contracting.size() == dimensions.rhs_contracting.size();
  for (std::size_t i = 0; fits && i < dimensions.lhs_contracting.size(); ++i)
    fits =
        extent(x.shape(), dimensions.lhs_contracting[i]) == extent(y.shape(), dimensions.rhs_contracting[i]);
  if (!fits) do_not_match("tensordot", x, y, "the summed axes must have the same extents, pair by pair");
  return contract("tensordot", x, y, promote(x, y), dimensions);
}

Tensor kron(const Tensor& x, const Tensor& y) {
  const std::int64_t rank = std::max(x.rank(), y.rank());
  Dims x_dims(static_cast<std::size_t>(rank - x.rank()), 1),
      y_dims(static_cast<std::size_t>(rank - y.rank()), 1);
  x_dims.insert(x_dims.end(), x.shape().begin(), x.shape().end());
  y_dims.insert(y_dims.end(), y.shape().begin(), y.shape().end());
  Dims x_apart, y_apart, joined;
  for (std::size_t d = 0; d < x_dims.size(); ++d) {
    x_apart.insert(x_apart.end(), {x_dims[d], 1});
    y_apart.insert(y_apart.end(), {1, y_dims[d]});
    joined.push_back(checked_extent("kron", CheckedSize(x_dims[d]) * y_dims[d]));
  }
  check_result("kron", {promote(x, y), joined});
  return reshape(multiply(reshape(x, x_apart), reshape(y, y_apart)), joined);
}

Tensor cross(const Tensor& x, const Tensor& y, const CrossOptions& options) {
  const Tensor a = moveaxis(x, options.axis.value_or(options.axisa), -1),
               b = moveaxis(y, options.axis.value_or(options.axisb), -1);
  const std::int64_t na = a.shape().back(), nb = b.shape().back();
  if (na < 2 || na > 3 || nb < 2 || nb > 3)
    do_not_match("cross", x, y, "the vectors must have 2 or 3 elements");
  const std::vector<Tensor> u = unstack(a, -1), v = unstack(b, -1);
  Tensor z = u[0] * v[1] - u[1] * v[0];
  if (na == 2 && nb == 2) return z;
  const Tensor zero = zeros_like(z);
  const Tensor from_v = nb == 3 ? u[1] * v[2] : zero, from_u = na == 3 ? u[2] * v[1] : zero;
  const Tensor y_from_u = na == 3 ? u[2] * v[0] : zero, y_from_v = nb == 3 ? u[0] * v[2] : zero;
  const Tensor result = stack({from_v - from_u, y_from_u - y_from_v, z}, -1);
  return moveaxis(result, -1, options.axis.value_or(options.axisc));
}

}  // namespace cornu::inline v0::ops
