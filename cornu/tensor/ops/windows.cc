#include <cmath>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/arrays.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

/// Windows, series, and functions of numbers that are made of others.
namespace cornu::inline v0::ops {
namespace {

using namespace internal;

/// The sum of c[k] * x^k; `coefficients` from the highest power to the lowest.
Tensor polynomial(const Tensor& x, const std::vector<double>& coefficients) {
  Tensor result = full_like(x, coefficients.front());
  for (std::size_t k = 1; k < coefficients.size(); ++k) result = result * x + coefficients[k];
  return result;
}

// The power series of i0 in (x / 2)^2, whose terms are all positive, up to |x| = 18; beyond, exp(x) / sqrt(2
// pi x) times the asymptotic series in 1 / (8 x), whose smallest term is below the rounding of f64 there.
constexpr double kI0SeriesEnd = 18;

std::vector<double> i0_series() {
  std::vector<double> terms = {1};
  for (int k = 1; k <= 46; ++k) terms.insert(terms.begin(), terms.front() / (static_cast<double>(k) * k));
  return terms;
}

std::vector<double> i0_asymptotic() {
  std::vector<double> terms = {1};
  for (int k = 1; k <= 30; ++k)
    terms.insert(terms.begin(), terms.front() * (2 * k - 1) * (2 * k - 1) / (8.0 * k));
  return terms;
}

Tensor window_positions(const char* op, std::int64_t x) {
  if (x < 0)
    invalid_argument({.argument = "x"}, "[{0}] the number of points must not be negative; got {1}", op, x);
  return arange(x, accumulation_dtype(default_float()));
}

Tensor as_window(const Tensor& values) { return as_dtype(values, default_float()); }

/// a - b cos(t) + c cos(2t) for t from 0 to 2 pi.
Tensor cosine_window(const char* op, std::int64_t x, double a, double b, double c) {
  const Tensor at = window_positions(op, x);
  if (x <= 1) return as_window(ones_like(at));
  const Tensor angle = at * (2 * std::numbers::pi / static_cast<double>(x - 1));
  const Tensor window = a - cos(angle) * b;
  return as_window(c == 0 ? window : window + cos(angle * 2.0) * c);
}

}  // namespace

Tensor i0(const Tensor& x) {
  const Tensor given = as_float(x);
  const Tensor size = abs(cast(given, accumulation_dtype(given.dtype())));
  const Tensor is_small = less_equal(size, kI0SeriesEnd);
  const Tensor small = where(is_small, size, 1), large = where(is_small, 2 * kI0SeriesEnd, size);
  const Tensor near = polynomial(square(small) * 0.25, i0_series());
  const Tensor far = polynomial(1.0 / large, i0_asymptotic()) / sqrt(large * (2 * std::numbers::pi));
  // exp(x) overflows before i0 does.
  const Tensor root = exp(large * 0.5);
  return cast(where(is_small, near, far * root * root), given.dtype());
}

Tensor bartlett(std::int64_t x) {
  const Tensor at = window_positions("bartlett", x);
  if (x <= 1) return as_window(ones_like(at));
  return as_window(1.0 - abs(at * (2.0 / static_cast<double>(x - 1)) - 1.0));
}
Tensor blackman(std::int64_t x) { return cosine_window("blackman", x, 0.42, 0.5, 0.08); }
Tensor hamming(std::int64_t x) { return cosine_window("hamming", x, 0.54, 0.46, 0); }
Tensor hanning(std::int64_t x) { return cosine_window("hanning", x, 0.5, 0.5, 0); }
Tensor kaiser(std::int64_t x, double beta) {
  const Tensor at = window_positions("kaiser", x);
  if (x <= 1) return as_window(ones_like(at));
  const Tensor place = at * (2.0 / static_cast<double>(x - 1)) - 1.0;
  return as_window(i0(sqrt(maximum(1.0 - square(place), 0)) * beta) / i0(Tensor(beta)));
}

Tensor logspace(const Tensor& start, const Tensor& stop, const LogspaceOptions& options) {
  const Tensor exponents =
      linspace(start, stop, {.num = options.num, .endpoint = options.endpoint, .axis = options.axis});
  const Tensor powers = power(options.base, exponents);
  return options.dtype ? cast(powers, *options.dtype) : powers;
}

Tensor geomspace(const Tensor& start, const Tensor& stop, const LinspaceOptions& options) {
  const DType dtype = promote_to_float(start, stop);
  const Tensor first = as_dtype(start, dtype), last = as_dtype(stop, dtype);
  const auto spaced = [&](const Tensor& from, const Tensor& to) {
    return linspace(from, to, {.num = options.num, .endpoint = options.endpoint, .axis = options.axis});
  };
  const Tensor result = exp(spaced(log(abs(first)), log(abs(last)))) * spaced(sign(first), sign(first));
  return options.dtype ? cast(result, *options.dtype) : result;
}

Tensor ldexp(const Tensor& x1, const Tensor& x2) {
  if (ir::is_float(x2.dtype()))
    invalid_argument({.argument = "x2"}, "[ldexp] x2 must be integers; got {}", ir::numpy_name(x2.dtype()));
  const Tensor given = as_float(x1);
  return given * exp2(cast(x2, given.dtype()));
}

// Floats of one sign are ordered as the integers of their bits are.
Tensor nextafter(const Tensor& x1, const Tensor& x2) {
  const DType dtype = promote_to_float(x1, x2);
  const auto next = [](ir::Builder& b, ir::Value from, ir::Value to) {
    const int width = ir::bit_width(from.dtype());
    const DType bits = width == 16 ? DType::kI16 : width == 32 ? DType::kI32 : DType::kI64;
    const auto is = [&](ir::Value x, ir::Value y, ComparisonDirection direction) {
      return compare(b, x, y, direction);
    };
    const ir::Value zero = full(b, from.type(), 0), integer = bitcast_convert(b, from, bits);
    const ir::Value one = full(b, integer.type(), 1);
    const ir::Value grows = compare(b, is(to, from, ComparisonDirection::kGt),
                                    is(from, zero, ComparisonDirection::kGt), ComparisonDirection::kEq);
    const ir::Value moved = select(b, grows, add(b, integer, one), subtract(b, integer, one));
    const ir::Value smallest = bitcast_convert(b, one, from.dtype());
    const ir::Value from_zero =
        select(b, is(to, zero, ComparisonDirection::kGt), smallest, negate(b, smallest));
    ir::Value result = bitcast_convert(b, moved, from.dtype());
    result = select(b, is(from, zero, ComparisonDirection::kEq), from_zero, result);
    result = select(b, is(from, to, ComparisonDirection::kEq), to, result);
    result = select(b, is(to, to, ComparisonDirection::kNe), to, result);
    return select(b, is(from, from, ComparisonDirection::kNe), from, result);
  };
  return binary_of_dtype("nextafter", x1, x2, dtype, next);
}

}  // namespace cornu::inline v0::ops
