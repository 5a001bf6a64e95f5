#pragma once

#include <optional>
#include <span>

#include "cornu/tensor/ops/positional.h"
#include "cornu/tensor/ops/types.h"

/// Elementwise operations with NumPy's broadcasting, under their names in keras.ops.
///
/// Types:     two operands: promote()'s dtype. "Of floats": integers and booleans are converted to f32, as in
///            Keras.
/// Errors:    InvalidArgument with the function and both shapes if they cannot be broadcast.
/// Gradient:  those of the StableHLO operations that they consist of; none for comparisons, rounding and
///            integers.
namespace cornu::inline v0::ops {

Tensor add(const Tensor& x, const Tensor& y);
/// The sum of all tensors, TensorFlow's add_n. Errors: InvalidArgument if there is none.
Tensor add_n(const TensorList& tensors);
Tensor subtract(const Tensor& x, const Tensor& y);
Tensor multiply(const Tensor& x, const Tensor& y);
Tensor divide(const Tensor& x, const Tensor& y);  // of floats
Tensor true_divide(const Tensor& x, const Tensor& y);
/// x / y, or 0 where y is 0; of floats.
Tensor divide_no_nan(const Tensor& x, const Tensor& y);
/// The largest whole number that is at most x / y.
Tensor floor_divide(const Tensor& x, const Tensor& y);
/// The remainder of floor_divide; it has the sign of y.
Tensor mod(const Tensor& x, const Tensor& y);
/// The remainder of a division that rounds towards zero; it has the sign of x.
Tensor fmod(const Tensor& x, const Tensor& y);
/// x to the power of y; booleans are taken as i32.
Tensor power(const Tensor& x, const Tensor& y);
Tensor maximum(const Tensor& x, const Tensor& y);  // NaN if either is NaN
Tensor minimum(const Tensor& x, const Tensor& y);
Tensor fmax(const Tensor& x, const Tensor& y);  // the other operand if one is NaN
Tensor fmin(const Tensor& x, const Tensor& y);
Tensor hypot(const Tensor& x, const Tensor& y);       // of floats
Tensor logaddexp(const Tensor& x, const Tensor& y);   // of floats
Tensor logaddexp2(const Tensor& x, const Tensor& y);  // of floats
/// 0, y or 1 where x is below, at or above 0; of floats.
Tensor heaviside(const Tensor& x, const Tensor& y);

// Comparisons give i1.
Tensor equal(const Tensor& x, const Tensor& y);
Tensor not_equal(const Tensor& x, const Tensor& y);
Tensor less(const Tensor& x, const Tensor& y);
Tensor less_equal(const Tensor& x, const Tensor& y);
Tensor greater(const Tensor& x, const Tensor& y);
Tensor greater_equal(const Tensor& x, const Tensor& y);
struct IsCloseOptions {  // options/ops.toml
  /// Tolerance relative to |y|.
  double rtol = 1e-5;
  /// Absolute tolerance.
  double atol = 1e-8;
  /// True: NaN is close to NaN.
  bool equal_nan = false;
};
/// |x - y| <= atol + rtol * |y|; infinities are close to themselves.
Tensor isclose(const Tensor& x, const Tensor& y, const IsCloseOptions& options = {});
Tensor allclose(const Tensor& x, const Tensor& y, const IsCloseOptions& options = {});

// Logic of truth values (not 0).
Tensor logical_and(const Tensor& x, const Tensor& y);
Tensor logical_or(const Tensor& x, const Tensor& y);
Tensor logical_xor(const Tensor& x, const Tensor& y);
Tensor logical_not(const Tensor& x);

// Integers and i1. Errors: InvalidArgument for floats.
Tensor bitwise_and(const Tensor& x, const Tensor& y);
Tensor bitwise_or(const Tensor& x, const Tensor& y);
Tensor bitwise_xor(const Tensor& x, const Tensor& y);
Tensor bitwise_not(const Tensor& x);
Tensor bitwise_invert(const Tensor& x);
/// The bits moved to the left; booleans are taken as i32.
Tensor bitwise_left_shift(const Tensor& x, const Tensor& y);
/// The bits moved to the right; signed integers keep their sign, booleans are taken as i32.
Tensor bitwise_right_shift(const Tensor& x, const Tensor& y);
Tensor left_shift(const Tensor& x, const Tensor& y);
Tensor right_shift(const Tensor& x, const Tensor& y);

Tensor negative(const Tensor& x);
Tensor abs(const Tensor& x);
Tensor absolute(const Tensor& x);
Tensor fabs(const Tensor& x);  // of floats
Tensor sign(const Tensor& x);
/// True if the sign bit is set, also for -0.
Tensor signbit(const Tensor& x);
Tensor reciprocal(const Tensor& x);  // of floats
Tensor square(const Tensor& x);

// Of floats.
Tensor exp(const Tensor& x);
Tensor exp2(const Tensor& x);
Tensor expm1(const Tensor& x);
Tensor log(const Tensor& x);
Tensor log1p(const Tensor& x);
Tensor log2(const Tensor& x);
Tensor log10(const Tensor& x);
/// log(cosh(x)) without overflow.
Tensor log_cosh(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor rsqrt(const Tensor& x);
/// The real cube root.
Tensor cbrt(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tan(const Tensor& x);
Tensor arcsin(const Tensor& x);
Tensor arccos(const Tensor& x);
Tensor arctan(const Tensor& x);
/// The angle of the point (y, x) from the positive x axis.
Tensor arctan2(const Tensor& y, const Tensor& x);
Tensor sinh(const Tensor& x);
Tensor cosh(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor arcsinh(const Tensor& x);
Tensor arccosh(const Tensor& x);
Tensor arctanh(const Tensor& x);
Tensor erf(const Tensor& x);
Tensor erfc(const Tensor& x);
Tensor erfinv(const Tensor& x);
/// sin(pi x) / (pi x), 1 at 0.
Tensor sinc(const Tensor& x);
Tensor deg2rad(const Tensor& x);
Tensor rad2deg(const Tensor& x);
Tensor floor(const Tensor& x);
Tensor ceil(const Tensor& x);

struct RoundOptions {  // options/ops.toml
  /// Number of decimals; negative: digits before the point.
  std::int64_t decimals = 0;
};
/// Rounds to `decimals` decimals, halves to even; integers change only for negative decimals.
inline Tensor round(const Tensor& x, const RoundOptions& options = {}) { return round(x, options.decimals); }
/// Rounds towards zero; integers are unchanged.
Tensor trunc(const Tensor& x);

// Tests for NaN and infinities.
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isposinf(const Tensor& x);
Tensor isneginf(const Tensor& x);
Tensor isfinite(const Tensor& x);
/// isfinite under StableHLO's name.
Tensor is_finite(const Tensor& x);
struct NanToNumOptions {  // options/ops.toml
  /// Number in place of NaN.
  double nan = 0;
  /// Number in place of infinity; unset: the dtype's largest finite number.
  std::optional<double> posinf = {};
  /// Number in place of minus infinity; unset: the dtype's lowest finite number.
  std::optional<double> neginf = {};
};
Tensor nan_to_num(const Tensor& x, const NanToNumOptions& options = {});

/// Limits x to [x_min, x_max]. Booleans are converted to i32, and integers to f32 if a bound is not an
/// integer. The gradient is one half where x equals a bound, as that of minimum(maximum(x, x_min), x_max).
Tensor clip(const Tensor& x, double x_min, double x_max);
Tensor clip(const Tensor& x, const Tensor& x_min, const Tensor& x_max);

/// Converts to another dtype: floats are truncated to integers; any number except 0 is true.
Tensor cast(const Tensor& x, DType dtype);
/// Converts like cast, but values outside the dtype's range become its lowest or largest finite number. NaN
/// stays NaN; as an integer it is 0.
Tensor saturate_cast(const Tensor& x, DType dtype);
struct ConvertOptions {  // options/ops.toml
  /// Dtype of the result; unset: that of x.
  std::optional<DType> dtype = {};
};
/// cast under Keras's name.
inline Tensor convert_to_tensor(const Tensor& x, const ConvertOptions& options = {}) {
  return convert_to_tensor(x, options.dtype);
}
Tensor copy(const Tensor& x);

/// on_true where the condition holds, else on_false; broadcasts all three.
Tensor where(const Tensor& condition, const Tensor& on_true, const Tensor& on_false);
struct SelectOptions {  // options/ops.toml
  /// Value of elements for which no condition holds; Keras's `default`.
  Tensor fallback = 0;
};
/// For each element, the choice of the first condition that holds, else `fallback`. Errors: InvalidArgument
/// unless there is a choice for each condition.
inline Tensor select(const TensorList& conditions, const TensorList& choices,
                     const SelectOptions& options = {}) {
  return select(conditions.span(), choices.span(), options.fallback);
}

}  // namespace cornu::inline v0::ops
