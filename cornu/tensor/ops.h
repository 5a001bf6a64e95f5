#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "cornu/tensor/tensor.h"

/// Operations on tensors, beside the builder-level ones of the same namespace.
///
/// Inside a trace they append to it; on concrete tensors outside a trace they run at once through the reference backend, which is
/// meant for small host-side work, not for speed.
namespace cornu::ops {

/// The dtype of a binary operation: equal dtypes stay; a weak number takes the other's (a weak float beside integers gives f32);
/// float beats integer beats bool; the wider wins.
DType promote(const Tensor& x, const Tensor& y);

// Elementwise, two operands: NumPy's broadcasting, promote()'s dtype.
Tensor add(const Tensor& x, const Tensor& y);
Tensor subtract(const Tensor& x, const Tensor& y);
Tensor multiply(const Tensor& x, const Tensor& y);
Tensor divide(const Tensor& x, const Tensor& y);  // integers are divided as f32, as in Keras
Tensor maximum(const Tensor& x, const Tensor& y);
Tensor minimum(const Tensor& x, const Tensor& y);
Tensor power(const Tensor& x, const Tensor& y);
/// x / y, and 0 where y is 0.
Tensor divide_no_nan(const Tensor& x, const Tensor& y);

// Comparisons give i1.
Tensor equal(const Tensor& x, const Tensor& y);
Tensor not_equal(const Tensor& x, const Tensor& y);
Tensor less(const Tensor& x, const Tensor& y);
Tensor less_equal(const Tensor& x, const Tensor& y);
Tensor greater(const Tensor& x, const Tensor& y);
Tensor greater_equal(const Tensor& x, const Tensor& y);
Tensor logical_and(const Tensor& x, const Tensor& y);
Tensor logical_or(const Tensor& x, const Tensor& y);
Tensor logical_not(const Tensor& x);

// Elementwise, one operand.
Tensor negative(const Tensor& x);
Tensor abs(const Tensor& x);
Tensor sign(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor expm1(const Tensor& x);
Tensor log(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);
Tensor square(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor softplus(const Tensor& x);
/// log(cosh(x)) without overflow.
Tensor log_cosh(const Tensor& x);
Tensor relu(const Tensor& x);
Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);
Tensor is_finite(const Tensor& x);
Tensor clip(const Tensor& x, double low, double high);
Tensor cast(const Tensor& x, DType dtype);
/// on_true where the condition holds, else on_false; broadcasts all three.
Tensor where(const Tensor& condition, const Tensor& on_true, const Tensor& on_false);

/// Axes of a reduction; negative ones count from the end; none given: all.
class Axes {
 public:
  Axes() = default;
  Axes(int axis) : axes_{axis}, all_(false) {}
  Axes(std::initializer_list<std::int64_t> axes) : axes_(axes), all_(false) {}
  Axes(std::vector<std::int64_t> axes) : axes_(std::move(axes)), all_(false) {}
  /// In [0, rank), sorted. Errors: InvalidArgument when one is outside or occurs twice.
  Dims normalized(std::int64_t rank) const;

 private:
  std::vector<std::int64_t> axes_;
  bool all_ = true;
};
struct ReduceOptions {
  Axes axis = {};
  bool keepdims = false;
};
Tensor sum(const Tensor& x, const ReduceOptions& options = {});
Tensor mean(const Tensor& x, const ReduceOptions& options = {});
Tensor max(const Tensor& x, const ReduceOptions& options = {});
Tensor min(const Tensor& x, const ReduceOptions& options = {});
Tensor all(const Tensor& x, const ReduceOptions& options = {});
Tensor any(const Tensor& x, const ReduceOptions& options = {});
/// The index of the first maximum along one axis, i32.
Tensor argmax(const Tensor& x, std::int64_t axis = -1);
Tensor softmax(const Tensor& x, std::int64_t axis = -1);
Tensor log_softmax(const Tensor& x, std::int64_t axis = -1);

/// [..., m, k] x [k, n] -> [..., m, n], and rank-2 products.
Tensor matmul(const Tensor& x, const Tensor& y);
/// One extent may be -1: what is left over.
Tensor reshape(const Tensor& x, const Dims& shape);
/// Without a permutation the axes are reversed.
Tensor transpose(const Tensor& x, const Dims& permutation = {});
Tensor broadcast_to(const Tensor& x, const Dims& shape);
Tensor expand_dims(const Tensor& x, std::int64_t axis);
Tensor squeeze(const Tensor& x, std::int64_t axis);
Tensor concatenate(std::span<const Tensor> tensors, std::int64_t axis = 0);
/// Integer labels [...] -> [..., num_classes]; labels outside [0, num_classes) give zeros.
Tensor one_hot(const Tensor& labels, std::int64_t num_classes, DType dtype = DType::kF32);
/// 0, 1, ..., n - 1.
Tensor arange(std::int64_t n, DType dtype = DType::kI32);
/// Rows of `x` in the order of concrete `indices` (host memory).
Tensor take_rows(const Tensor& x, std::span<const std::int64_t> indices);

/// 32 random bits an element (uint32), by threefry of (key, counter, row-major index).
Tensor random_bits(std::uint32_t key0, std::uint32_t key1, const Tensor& counter, const Dims& shape);
/// Uniform in [0, 1), by threefry bits of (key, counter, row-major index).
Tensor random_uniform(std::uint32_t key0, std::uint32_t key1, const Tensor& counter, const Dims& shape, DType dtype = DType::kF32);

}  // namespace cornu::ops
