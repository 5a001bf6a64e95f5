#include "cornu/tensor/ops/elementwise.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/chlo_unary/chlo_unary.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/spectral.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
using namespace internal;

namespace {

/// The complex numbers of two real parts, which `f` makes from those of x.
template <typename F>
Tensor of_parts(const Tensor& x, const F& f) {
  return run_op(OpKey("view_as_complex"), std::array{f(real(x)), f(imag(x))},
                [](ir::Builder& b, Values v) { return complex(b, v[0], v[1]); });
}

template <ComparisonDirection kDirection>
Tensor comparison(const char* name, const Tensor& x, const Tensor& y) {
  return binary(name, x, y, [](ir::Builder& b, ir::Value lhs, ir::Value rhs) {
    return compare(b, lhs, rhs, kDirection);
  });
}

/// The promoted dtype; i32 for booleans.
DType promote_to_number(const Tensor& x, const Tensor& y) {
  const DType dtype = promote(x, y);
  return dtype == DType::kI1 ? DType::kI32 : dtype;
}

/// Rejects floats and complex numbers.
void check_integers(const char* name, const Tensor& x, const Tensor& y) {
  if (ir::is_differentiable(x.dtype()) || ir::is_differentiable(y.dtype()))
    invalid_argument("[{}] the operands must be integers; got {} and {}", name, type_str(x.type()),
                     type_str(y.type()));
}

Tensor bitwise(const char* name, const Tensor& x, const Tensor& y, BinaryFn op) {
  check_integers(name, x, y);
  return binary(name, x, y, op);
}

Tensor shift(const char* name, const Tensor& x, const Tensor& y, BinaryFn op) {
  check_integers(name, x, y);
  return binary_of_dtype(name, x, y, promote_to_number(x, y), op);
}

bool is_unsigned(DType dtype) { return dtype == DType::kI1 || ir::is_unsigned_integer(dtype); }

/// The smallest x for which x^2 + 1 rounds to x^2 in a float dtype; x^2 is finite there.
double start_of_large(DType dtype) {
  switch (dtype) {
    case DType::kF16: return 128;
    case DType::kF64: return 1e9;
    default: return 1e4;
  }
}

bool is_finite_integer(double value) { return std::isfinite(value) && value == std::trunc(value); }

}  // namespace

Tensor add(const Tensor& x, const Tensor& y) { return binary("add", x, y, &add); }
Tensor add_n(const TensorList& tensors) {
  const std::span<const Tensor> all = tensors.span();
  if (all.empty()) invalid_argument("[add_n] there is no tensor to add; give at least one");
  Tensor sum = all[0];
  for (const Tensor& each : all.subspan(1)) sum = add(sum, each);
  return sum;
}
Tensor subtract(const Tensor& x, const Tensor& y) { return binary("subtract", x, y, &subtract); }
Tensor multiply(const Tensor& x, const Tensor& y) { return binary("multiply", x, y, &multiply); }
Tensor divide(const Tensor& x, const Tensor& y) { return float_binary("divide", x, y, &divide); }
Tensor true_divide(const Tensor& x, const Tensor& y) { return divide(x, y); }

Tensor divide_no_nan(const Tensor& x, const Tensor& y) {
  const DType dtype = promote_to_float(x, y);
  const Tensor divisor = as_dtype(y, dtype), is_zero = equal(divisor, 0);
  return where(is_zero, 0, divide(as_dtype(x, dtype), where(is_zero, 1, divisor)));
}

Tensor fmod(const Tensor& x, const Tensor& y) {
  return binary_of_dtype("fmod", x, y, promote_to_number(x, y), &remainder);
}

namespace {

/// True if a division that rounds towards zero, with this remainder, was rounded up.
ir::Value is_rounded_up(ir::Builder& b, ir::Value rest, ir::Value divisor) {
  const ir::Value zero = full(b, rest.type(), 0);
  const ir::Value signs_differ =
      compare(b, compare(b, rest, zero, ComparisonDirection::kLt),
              compare(b, divisor, zero, ComparisonDirection::kLt), ComparisonDirection::kNe);
  return and_(b, signs_differ, compare(b, rest, zero, ComparisonDirection::kNe));
}

/// Computed from the remainder, which is exact: x / y may be rounded up to a whole number above it. Division
/// by zero gives x / y.
ir::Value floor_divide_floats(ir::Builder& b, ir::Value x, ir::Value y) {
  const ir::Value rest = remainder(b, x, y), zero = full(b, y.type(), 0), one = full(b, y.type(), 1);
  const ir::Value whole = select(b, compare(b, y, zero, ComparisonDirection::kEq), x, subtract(b, x, rest));
  const ir::Value quotient = divide(b, whole, y);
  return round_nearest_afz(b, select(b, is_rounded_up(b, rest, y), subtract(b, quotient, one), quotient));
}

}  // namespace

Tensor mod(const Tensor& x, const Tensor& y) {
  return binary_of_dtype("mod", x, y, promote_to_number(x, y),
                         [](ir::Builder& b, ir::Value lhs, ir::Value rhs) {
                           const ir::Value rest = remainder(b, lhs, rhs);
                           if (ir::is_unsigned_integer(rest.dtype())) return rest;
                           return select(b, is_rounded_up(b, rest, rhs), add(b, rest, rhs), rest);
                         });
}

Tensor floor_divide(const Tensor& x, const Tensor& y) {
  const DType dtype = promote_to_number(x, y);
  return binary_of_dtype("floor_divide", x, y, dtype, [](ir::Builder& b, ir::Value lhs, ir::Value rhs) {
    if (ir::is_float(lhs.dtype())) return floor_divide_floats(b, lhs, rhs);
    const ir::Value quotient = divide(b, lhs, rhs);
    if (ir::is_unsigned_integer(quotient.dtype())) return quotient;
    const ir::Value zero = full(b, quotient.type(), 0), one = full(b, quotient.type(), 1);
    const ir::Value signs_differ =
        compare(b, compare(b, lhs, zero, ComparisonDirection::kLt),
                compare(b, rhs, zero, ComparisonDirection::kLt), ComparisonDirection::kNe);
    const ir::Value is_inexact = compare(b, multiply(b, quotient, rhs), lhs, ComparisonDirection::kNe);
    return select(b, and_(b, signs_differ, is_inexact), subtract(b, quotient, one), quotient);
  });
}

Tensor power(const Tensor& x, const Tensor& y) {
  return binary_of_dtype("power", x, y, promote_to_number(x, y), &power);
}
Tensor maximum(const Tensor& x, const Tensor& y) { return binary("maximum", x, y, &maximum); }
Tensor minimum(const Tensor& x, const Tensor& y) { return binary("minimum", x, y, &minimum); }
// Equal operands pass the gradient to y, as in Keras; that of maximum() would be halved.
Tensor fmax(const Tensor& x, const Tensor& y) { return where(logical_or(greater(x, y), isnan(y)), x, y); }
Tensor fmin(const Tensor& x, const Tensor& y) { return where(logical_or(less(x, y), isnan(y)), x, y); }

// Factors out the larger operand, so that no square overflows.
Tensor hypot(const Tensor& x, const Tensor& y) {
  const DType dtype = promote_to_float(x, y);
  const Tensor a = abs(as_dtype(x, dtype)), b = abs(as_dtype(y, dtype));
  const Tensor larger = maximum(a, b), smaller = minimum(a, b);
  const Tensor ratio = divide(smaller, where(equal(larger, 0), 1, larger));
  return where(logical_or(isinf(a), isinf(b)), std::numeric_limits<double>::infinity(),
               larger * sqrt(square(ratio) + 1));
}

// Equal infinities have no difference: the result is the larger one then. It is selected, not computed by
// maximum(): either choice is the function itself, so all derivatives are right where x equals y.
Tensor logaddexp(const Tensor& x, const Tensor& y) {
  const DType dtype = promote_to_float(x, y);
  const Tensor a = as_dtype(x, dtype), b = as_dtype(y, dtype);
  const Tensor is_first = greater(a, b), difference = a - b;
  const Tensor finite = where(isnan(difference), 0, difference);
  const Tensor below = where(is_first, -finite, finite);  // smaller - larger
  return where(isnan(difference), a + b, where(is_first, a, b) + log1p(exp(below)));
}
Tensor logaddexp2(const Tensor& x, const Tensor& y) {
  const DType dtype = promote_to_float(x, y);
  const Tensor a = as_dtype(x, dtype) * std::numbers::ln2, b = as_dtype(y, dtype) * std::numbers::ln2;
  return logaddexp(a, b) / std::numbers::ln2;
}

Tensor heaviside(const Tensor& x, const Tensor& y) {
  const DType dtype = promote_to_float(x, y);
  const Tensor value = as_dtype(x, dtype);
  const Tensor step = where(equal(value, 0), as_dtype(y, dtype), cast(greater(value, 0), dtype));
  return where(isnan(value), value, step);
}

Tensor equal(const Tensor& x, const Tensor& y) { return comparison<ComparisonDirection::kEq>("equal", x, y); }
Tensor not_equal(const Tensor& x, const Tensor& y) {
  return comparison<ComparisonDirection::kNe>("not_equal", x, y);
}
Tensor less(const Tensor& x, const Tensor& y) { return comparison<ComparisonDirection::kLt>("less", x, y); }
Tensor less_equal(const Tensor& x, const Tensor& y) {
  return comparison<ComparisonDirection::kLe>("less_equal", x, y);
}
Tensor greater(const Tensor& x, const Tensor& y) {
  return comparison<ComparisonDirection::kGt>("greater", x, y);
}
Tensor greater_equal(const Tensor& x, const Tensor& y) {
  return comparison<ComparisonDirection::kGe>("greater_equal", x, y);
}

Tensor isclose(const Tensor& x, const Tensor& y, const IsCloseOptions& options) {
  const DType dtype = promote_to_float(x, y);
  const Tensor a = as_dtype(x, dtype), b = as_dtype(y, dtype);
  const Tensor is_near =
      logical_and(less_equal(abs(a - b), abs(b) * options.rtol + options.atol), isfinite(b));
  const Tensor is_close = logical_or(equal(a, b), is_near);
  return options.equal_nan ? logical_or(is_close, logical_and(isnan(a), isnan(b))) : is_close;
}
Tensor allclose(const Tensor& x, const Tensor& y, const IsCloseOptions& options) {
  return all(isclose(x, y, options));
}

Tensor logical_and(const Tensor& x, const Tensor& y) {
  return binary("logical_and", as_bool(x), as_bool(y), &and_);
}
Tensor logical_or(const Tensor& x, const Tensor& y) {
  return binary("logical_or", as_bool(x), as_bool(y), &or_);
}
Tensor logical_xor(const Tensor& x, const Tensor& y) {
  return binary("logical_xor", as_bool(x), as_bool(y), &xor_);
}
Tensor logical_not(const Tensor& x) { return unary("logical_not", as_bool(x), &not_); }

Tensor bitwise_and(const Tensor& x, const Tensor& y) { return bitwise("bitwise_and", x, y, &and_); }
Tensor bitwise_or(const Tensor& x, const Tensor& y) { return bitwise("bitwise_or", x, y, &or_); }
Tensor bitwise_xor(const Tensor& x, const Tensor& y) { return bitwise("bitwise_xor", x, y, &xor_); }
Tensor bitwise_not(const Tensor& x) {
  check_integers("bitwise_not", x, x);
  return unary("bitwise_not", x, &not_);
}
Tensor bitwise_invert(const Tensor& x) { return bitwise_not(x); }
Tensor bitwise_left_shift(const Tensor& x, const Tensor& y) {
  return shift("bitwise_left_shift", x, y, &shift_left);
}
Tensor bitwise_right_shift(const Tensor& x, const Tensor& y) {
  return shift("bitwise_right_shift", x, y, [](ir::Builder& b, ir::Value lhs, ir::Value rhs) {
    return ir::is_unsigned_integer(lhs.dtype()) ? shift_right_logical(b, lhs, rhs)
                                                : shift_right_arithmetic(b, lhs, rhs);
  });
}
Tensor left_shift(const Tensor& x, const Tensor& y) { return bitwise_left_shift(x, y); }
Tensor right_shift(const Tensor& x, const Tensor& y) { return bitwise_right_shift(x, y); }

Tensor negative(const Tensor& x) { return unary("negative", x, &negate); }
Tensor abs(const Tensor& x) { return is_unsigned(x.dtype()) ? x : unary("abs", x, &abs); }
Tensor absolute(const Tensor& x) { return abs(x); }
Tensor fabs(const Tensor& x) { return abs(as_float(x)); }
Tensor sign(const Tensor& x) {
  return ir::is_unsigned_integer(x.dtype()) ? minimum(x, 1) : unary("sign", x, &sign);
}
Tensor signbit(const Tensor& x) {
  if (ir::is_integer(x.dtype()) || x.dtype() == DType::kI1) return less(as_number(x), 0);
  const Tensor value = as_float(x);
  // 1 / -0 is -inf; a NaN's sign is read from its bits.
  return unary("signbit", value, [](ir::Builder& b, ir::Value v) {
    const int width = ir::bit_width(v.dtype());
    const DType bits = width == 16 ? DType::kI16 : width == 32 ? DType::kI32 : DType::kI64;
    const ir::Value integer = bitcast_convert(b, v, bits);
    return compare(b, integer, full(b, integer.type(), 0), ComparisonDirection::kLt);
  });
}
Tensor reciprocal(const Tensor& x) { return divide(1, as_inexact(x)); }
Tensor square(const Tensor& x) {
  const Tensor number = as_number(x);
  return multiply(number, number);
}

Tensor exp(const Tensor& x) { return float_unary("exp", x, &exponential); }
Tensor exp2(const Tensor& x) { return power(2.0, as_inexact(x)); }
Tensor expm1(const Tensor& x) { return float_unary("expm1", x, &exponential_minus_one); }
Tensor log(const Tensor& x) { return float_unary("log", x, &log); }
Tensor log1p(const Tensor& x) { return float_unary("log1p", x, &log_plus_one); }
Tensor log2(const Tensor& x) { return log(x) * std::numbers::log2e; }
Tensor log10(const Tensor& x) { return log(x) * std::numbers::log10e; }
Tensor log_cosh(const Tensor& x) { return float_unary("log_cosh", x, &log_cosh); }
Tensor sqrt(const Tensor& x) { return float_unary("sqrt", x, &sqrt); }
Tensor rsqrt(const Tensor& x) { return float_unary("rsqrt", x, &rsqrt); }
Tensor sin(const Tensor& x) { return float_unary("sin", x, &sine); }
Tensor cos(const Tensor& x) { return float_unary("cos", x, &cosine); }
Tensor tan(const Tensor& x) { return float_unary("tan", x, &tan); }
Tensor cbrt(const Tensor& x) { return float_unary("cbrt", x, &cbrt); }
Tensor erf(const Tensor& x) { return float_unary("erf", x, &erf); }
Tensor erfc(const Tensor& x) { return float_unary("erfc", x, &erfc); }
Tensor erfinv(const Tensor& x) { return float_unary("erfinv", x, &erf_inv); }

Tensor arctan2(const Tensor& y, const Tensor& x) { return float_binary("arctan2", y, x, &atan2); }
Tensor arctan(const Tensor& x) {
  return ir::is_complex(x.dtype()) ? unary("atan", x, &atan) : arctan2(as_float(x), 1);
}
// Takes the root of each factor: the slope of a root of the product, at 1 and -1, would be infinity times 0.
Tensor arcsin(const Tensor& x) {
  if (ir::is_complex(x.dtype())) return unary("asin", x, &asin);
  const Tensor value = as_float(x);
  return arctan2(value, sqrt(1 - value) * sqrt(value + 1));
}
// Uses the half angle, whose tangent has no cancellation at either end.
Tensor arccos(const Tensor& x) {
  if (ir::is_complex(x.dtype())) return unary("acos", x, &acos);
  const Tensor value = as_float(x);
  return arctan2(sqrt(1 - value), sqrt(value + 1)) * 2;
}
// log(|x| + sqrt(x^2 + 1)), by log1p for small x; for large x the 1 is negligible and x^2 might overflow.
Tensor arcsinh(const Tensor& x) {
  if (ir::is_complex(x.dtype())) return unary("asinh", x, &asinh);
  const Tensor value = as_float(x), size = abs(value);
  const Tensor is_large = greater(size, start_of_large(value.dtype()));
  const Tensor small = where(is_large, 1, size);
  const Tensor near = log1p(small + square(small) / (sqrt(square(small) + 1) + 1));
  const Tensor far = log(where(is_large, size, 1)) + std::numbers::ln2;
  return where(equal(value, 0), value, sign(value) * where(is_large, far, near));
}
// Takes the root of each factor, as in arcsin; below 1, where the result is NaN, one of them is NaN.
Tensor arccosh(const Tensor& x) {
  if (ir::is_complex(x.dtype())) return unary("acosh", x, &acosh);
  const Tensor value = as_float(x);
  const Tensor is_large = greater(value, start_of_large(value.dtype()));
  const Tensor above = where(is_large, 2, value) - 1;
  const Tensor near = log1p(above + sqrt(above) * sqrt(above + 2));
  return where(is_large, log(value) + std::numbers::ln2, near);
}
Tensor arctanh(const Tensor& x) {
  if (ir::is_complex(x.dtype())) return unary("atanh", x, &atanh);
  const Tensor value = as_float(x);
  return (log1p(value) - log1p(-value)) * 0.5;
}

Tensor sinh(const Tensor& x) { return float_unary("sinh", x, &sinh); }
Tensor cosh(const Tensor& x) {
  if (ir::is_complex(x.dtype())) return unary("cosh", x, &cosh);
  const Tensor half = exp(abs(as_float(x)) / 2);
  return half * 0.5 * half + divide(0.5, half) / half;
}
Tensor tanh(const Tensor& x) { return float_unary("tanh", x, &tanh); }
// Uses the series near 0, which rounds to the function and has its derivatives; those of the quotient lose
// all digits there.
Tensor sinc(const Tensor& x) {
  constexpr double kNear = 5e-3;  // the term left out, angle^6 / 5040, is below a half ulp of f64
  const Tensor angle = as_inexact(x) * std::numbers::pi;
  const Tensor is_near = less(abs(angle), kNear);
  const Tensor near = square(where(is_near, angle, 0)), far = where(is_near, 1, angle);
  return where(is_near, 1 - near * (1.0 / 6 - near * (1.0 / 120)), sin(far) / far);
}
Tensor deg2rad(const Tensor& x) { return as_float(x) * (std::numbers::pi / 180); }
Tensor rad2deg(const Tensor& x) { return as_float(x) * (180 / std::numbers::pi); }
Tensor floor(const Tensor& x) { return float_unary("floor", x, &floor); }
Tensor ceil(const Tensor& x) { return float_unary("ceil", x, &ceil); }
Tensor trunc(const Tensor& x) {
  if (ir::is_integer(x.dtype()) || x.dtype() == DType::kI1) return x;
  return unary("trunc", as_float(x), [](ir::Builder& b, ir::Value v) {
    return select(b, compare(b, v, full(b, v.type(), 0), ComparisonDirection::kLt), ceil(b, v), floor(b, v));
  });
}

Tensor round(const Tensor& x, std::int64_t decimals) {
  if (ir::is_complex(x.dtype()))
    return of_parts(x, [&](const Tensor& part) { return round(part, decimals); });
  if (!ir::is_float(x.dtype())) {
    if (decimals >= 0) return x;
    return cast(round(as_float(x), decimals), x.dtype());
  }
  if (decimals == 0) return unary("round", x, &round_nearest_even);
  const double factor = std::pow(10.0, static_cast<double>(decimals));
  return unary("round", x * factor, &round_nearest_even) / factor;
}

namespace {

/// x. Errors: InvalidArgument with the calling function for complex numbers.
Tensor as_real(const Tensor& x, const char* caller = __builtin_FUNCTION()) {
  return ir::is_complex(x.dtype()) ? as_float(x, caller) : x;
}

/// `test` for floats and for either part of complex numbers; false for integers.
Tensor float_test(const char* name, const Tensor& x, UnaryFn test) {
  if (ir::is_complex(x.dtype()))
    return logical_or(float_test(name, real(x), test), float_test(name, imag(x), test));
  if (!ir::is_float(x.dtype()))
    return unary("never", x, [](ir::Builder& b, ir::Value v) { return full(b, {DType::kI1, v.dims()}, 0); });
  return unary(name, x, test);
}

ir::Value is_value(ir::Builder& b, ir::Value x, double value) {
  return compare(b, x, full(b, x.type(), value), ComparisonDirection::kEq);
}

}  // namespace

Tensor isnan(const Tensor& x) {
  return float_test("isnan", x,
                    [](ir::Builder& b, ir::Value v) { return compare(b, v, v, ComparisonDirection::kNe); });
}
Tensor isinf(const Tensor& x) {
  return float_test("isinf", x, [](ir::Builder& b, ir::Value v) { return is_value(b, abs(b, v), HUGE_VAL); });
}
Tensor isposinf(const Tensor& x) {
  return float_test("isposinf", as_real(x),
                    [](ir::Builder& b, ir::Value v) { return is_value(b, v, HUGE_VAL); });
}
Tensor isneginf(const Tensor& x) {
  return float_test("isneginf", as_real(x),
                    [](ir::Builder& b, ir::Value v) { return is_value(b, v, -HUGE_VAL); });
}
Tensor isfinite(const Tensor& x) {
  if (ir::is_complex(x.dtype())) return logical_and(isfinite(real(x)), isfinite(imag(x)));
  return float_unary("is_finite", x, &is_finite);
}
Tensor is_finite(const Tensor& x) { return isfinite(x); }

Tensor nan_to_num(const Tensor& x, const NanToNumOptions& options) {
  if (ir::is_complex(x.dtype()))
    return of_parts(x, [&](const Tensor& part) { return nan_to_num(part, options); });
  if (!ir::is_float(x.dtype())) return x;
  const double high = options.posinf.value_or(largest(x.dtype()));
  const double low = options.neginf.value_or(-largest(x.dtype()));
  return where(isnan(x), options.nan, where(isposinf(x), high, where(isneginf(x), low, x)));
}

Tensor clip(const Tensor& x, double x_min, double x_max) {
  const Tensor number = as_number(x);
  if (!ir::is_float(number.dtype()) && !(is_finite_integer(x_min) && is_finite_integer(x_max)))
    return clip(number, Tensor(x_min), Tensor(x_max));
  return run_op(OpKey("clip", x_min, x_max), {&number, 1}, [&](ir::Builder& b, Values v) {
    const TensorType& type = v[0].type();
    return minimum(b, maximum(b, v[0], full(b, type, x_min)), full(b, type, x_max));
  });
}
Tensor clip(const Tensor& x, const Tensor& x_min, const Tensor& x_max) {
  return minimum(maximum(as_number(x), x_min), x_max);
}

Tensor cast(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype && !x.is_weak()) return x;
  if (x.is_weak()) return x.strong_scalar(dtype);
  return run_op(OpKey("cast", dtype), {&x, 1},
                [&](ir::Builder& b, Values v) { return convert(b, v[0], dtype); });
}

namespace {

/// Clips integers to the range of another integer dtype. The bounds are numbers of x's dtype.
Tensor clip_integers(const Tensor& x, DType dtype) {
  const auto num_digits = [](DType integer) {
    return ir::bit_width(integer) - (ir::is_signed_integer(integer) ? 1 : 0);
  };
  const bool is_narrower = num_digits(dtype) < num_digits(x.dtype());
  Tensor value = x;
  if (is_narrower) value = minimum(value, Tensor((std::uint64_t{1} << num_digits(dtype)) - 1));
  if (!ir::is_signed_integer(x.dtype())) return value;
  if (!ir::is_signed_integer(dtype)) return maximum(value, 0);
  return is_narrower ? maximum(value, Tensor(-(std::int64_t{1} << num_digits(dtype)))) : value;
}

}  // namespace

// Conversion of floats to integers saturates by itself. Among floats only f16 has a range that integers
// exceed.
Tensor saturate_cast(const Tensor& x, DType dtype) {
  const Tensor number = as_number(x);
  const bool from_float = ir::is_float(number.dtype());
  if (ir::is_integer(dtype)) return cast(from_float ? number : clip_integers(number, dtype), dtype);
  if (!ir::is_float(dtype) || (!from_float && dtype != DType::kF16)) return cast(number, dtype);
  const double bound = std::fmin(largest(dtype), largest(number.dtype()));
  return cast(clip(number, -bound, bound), dtype);
}

Tensor convert_to_tensor(const Tensor& x, std::optional<DType> dtype) { return dtype ? cast(x, *dtype) : x; }
Tensor copy(const Tensor& x) { return x; }

Tensor where(const Tensor& condition, const Tensor& on_true, const Tensor& on_false) {
  const DType dtype = promote(on_true, on_false);
  Dims dims = broadcast_shapes(on_true.shape(), on_false.shape(), "where");
  dims = broadcast_shapes(condition.shape(), dims, "where");
  const std::array inputs = {as_bool(condition), as_dtype(on_true, dtype), as_dtype(on_false, dtype)};
  return run_op(OpKey("where"), inputs, [&](ir::Builder& b, Values v) {
    const ir::Value predicate = v[0].rank() == 0 ? v[0] : broadcast_to(b, v[0], dims);
    return select(b, predicate, broadcast_to(b, v[1], dims), broadcast_to(b, v[2], dims));
  });
}

Tensor select(std::span<const Tensor> conditions, std::span<const Tensor> choices, const Tensor& fallback) {
  if (conditions.size() != choices.size() || conditions.empty())
    invalid_argument(
        "[select] there must be a choice for each condition, and at least one; got {} conditions and {} "
        "choices",
        conditions.size(), choices.size());
  Tensor result = fallback;
  for (std::size_t i = conditions.size(); i-- > 0;) result = where(conditions[i], choices[i], result);
  return result;
}

}  // namespace cornu::inline v0::ops
