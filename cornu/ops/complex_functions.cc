#include "cornu/ops/complex_functions.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace complex_formulas {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A real tensor in a formula.
struct Real {
  ir::Builder* b;
  ir::Value v;

  Real like(double value) const { return {b, ops::full(*b, v.type(), value)}; }
};

struct Condition {
  ir::Builder* b;
  ir::Value v;
};

Real operator+(Real x, Real y) { return {x.b, ops::add(*x.b, x.v, y.v)}; }
Real operator-(Real x, Real y) { return {x.b, ops::subtract(*x.b, x.v, y.v)}; }
Real operator*(Real x, Real y) { return {x.b, ops::multiply(*x.b, x.v, y.v)}; }
Real operator/(Real x, Real y) { return {x.b, ops::divide(*x.b, x.v, y.v)}; }
Real operator+(Real x, double y) { return x + x.like(y); }
Real operator-(Real x, double y) { return x - x.like(y); }
Real operator*(double x, Real y) { return y.like(x) * y; }
Real operator-(Real x) { return {x.b, ops::negate(*x.b, x.v)}; }

Condition compared(Real x, Real y, ComparisonDirection direction) {
  return {x.b, ops::compare(*x.b, x.v, y.v, direction)};
}
Condition operator<(Real x, Real y) { return compared(x, y, ComparisonDirection::kLt); }
Condition operator<(Real x, double y) { return x < x.like(y); }
Condition operator>(Real x, double y) { return x.like(y) < x; }
Condition operator>=(Real x, Real y) { return compared(x, y, ComparisonDirection::kGe); }
Condition operator==(Real x, Real y) { return compared(x, y, ComparisonDirection::kEq); }
Condition operator==(Real x, double y) { return x == x.like(y); }
Condition operator&&(Condition x, Condition y) { return {x.b, ops::and_(*x.b, x.v, y.v)}; }
Condition operator||(Condition x, Condition y) { return {x.b, ops::or_(*x.b, x.v, y.v)}; }

Real where(Condition c, Real x, Real y) { return {x.b, ops::select(*x.b, c.v, x.v, y.v)}; }
Real where(Condition c, double x, Real y) { return where(c, y.like(x), y); }

using Function = ir::Value (*)(ir::Builder&, ir::Value);
Real apply(Function function, Real x) { return {x.b, function(*x.b, x.v)}; }
Real exp(Real x) { return apply(ops::exponential, x); }
Real expm1(Real x) { return apply(ops::exponential_minus_one, x); }
Real log(Real x) { return apply(ops::log, x); }
Real log1p(Real x) { return apply(ops::log_plus_one, x); }
Real sqrt(Real x) { return apply(ops::sqrt, x); }
Real sin(Real x) { return apply(ops::sine, x); }
Real cos(Real x) { return apply(ops::cosine, x); }
Real tan(Real x) { return apply(ops::tan, x); }
Real cbrt(Real x) { return apply(ops::cbrt, x); }
Real abs(Real x) { return apply(ops::abs, x); }
Real max(Real x, Real y) { return {x.b, ops::maximum(*x.b, x.v, y.v)}; }
Real min(Real x, Real y) { return {x.b, ops::minimum(*x.b, x.v, y.v)}; }
Real atan2(Real y, Real x) { return {x.b, ops::atan2(*x.b, y.v, x.v)}; }

/// `size`, which is not negative, with the sign of `from`; f64.
Real copysign(Real size, Real from) {
  ir::Builder& b = *size.b;
  const ir::Value bits = ops::bitcast_convert(b, from.v, ir::DType::kI64);
  const ir::Value mask = ops::broadcast_scalar(
      b, ops::constant(b, ir::Literal::of<std::int64_t>({}, {std::numeric_limits<std::int64_t>::min()})),
      bits.dims());
  const ir::Value joined =
      ops::or_(b, ops::and_(b, bits, mask), ops::bitcast_convert(b, size.v, ir::DType::kI64));
  return {size.b, ops::bitcast_convert(b, joined, ir::DType::kF64)};
}

/// A complex tensor of f64 in a formula.
struct Number {
  Real re, im;
};

Number where(Condition c, const Number& x, const Number& y) {
  return {where(c, x.re, y.re), where(c, x.im, y.im)};
}

/// A sum of two numbers, and its rounding error.
struct ExactSum {
  ExactSum(Real x, Real y) : sum(x + y), error(x - (sum - (sum - x)) + (y - (sum - x))) {}
  Real sum, error;
};

/// A square of f64, and its rounding error (Dekker's).
struct ExactSquare {
  explicit ExactSquare(Real x) : square(x * x), error(square) {
    constexpr double kSplit = 134217729;  // 2^27 + 1
    const Real scaled = kSplit * x, high = scaled - (scaled - x), low = x - high;
    error = ((high * high - square) + 2 * (high * low)) + low * low;
  }
  Real square, error;
};

Number multiply(const Number& x, const Number& y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/// Smith's division; by 0 as NumPy.
Number divide(const Number& x, const Number& y) {
  const Condition is_real = abs(y.re) >= abs(y.im), is_zero = y.re == 0 && y.im == 0;
  const Real large = where(is_real, y.re, y.im), small = where(is_real, y.im, y.re);
  const Real ratio = small / large, scale = y.re.like(1) / (large + small * ratio);
  const Number quotient = {where(is_real, x.re + x.im * ratio, x.re * ratio + x.im) * scale,
                           where(is_real, x.im - x.re * ratio, x.im * ratio - x.re) * scale};
  return where(is_zero, {x.re / abs(y.re), x.im / abs(y.re)}, quotient);
}

Condition is_infinite(const Number& z) { return abs(z.re) == kInfinity || abs(z.im) == kInfinity; }

Real abs(const Number& z) {
  const Real large = max(abs(z.re), abs(z.im)), small = min(abs(z.re), abs(z.im)), ratio = small / large;
  const Real size = large * sqrt(ratio * ratio + 1);
  return where(is_infinite(z), kInfinity, where(small == 0, large, size));
}

/// e^x = power * scale; the scale keeps the power finite where e^x times a small number is finite.
struct ScaledPower {
  explicit ScaledPower(Real x) : power(x), scale(x) {
    constexpr double kLimit = 700, kShift = 64;
    const Condition is_large = x > kLimit;
    power = complex_formulas::exp(where(is_large, x - kShift, x));
    scale = where(is_large, std::exp(kShift), x.like(1));
  }
  Real power, scale;
};

Number exp(const Number& z) {
  const ScaledPower e(z.re);
  const Condition is_real = z.im == 0, vanishes = z.re == -kInfinity;
  const Real re = where(is_real, e.power, e.power * cos(z.im)) * e.scale,
             im = where(is_real, z.im, e.power * sin(z.im) * e.scale);
  return {where(vanishes, 0, re), where(vanishes, 0, im)};
}

Number expm1(const Number& z) {
  const Real half_sine = sin(0.5 * z.im);
  return {expm1(z.re) * cos(z.im) - 2 * (half_sine * half_sine),
          where(z.im == 0, z.im, exp(z.re) * sin(z.im))};
}

/// log |z|: near |z| = 1 from the exact |z|^2 - 1.
Real log_abs(const Number& z) {
  const Real large = max(abs(z.re), abs(z.im)), small = min(abs(z.re), abs(z.im));
  const ExactSquare x(large), y(small);
  const Real near = 0.5 * log1p(((x.square - 1) + y.square) + (x.error + y.error));
  const Real ratio = where(small == 0 || large == kInfinity, 0, small / large);
  const Real far = log(large) + 0.5 * log1p(ratio * ratio);
  return where(is_infinite(z), kInfinity, where(large > 0.5 && large < 2, near, far));
}

Number log(const Number& z) { return {log_abs(z), atan2(z.im, z.re)}; }

Number log1p(const Number& z) {
  const Number shifted = {z.re + 1, z.im};
  const ExactSquare x(z.re), y(z.im);
  const ExactSum first(2 * z.re, y.square), second(first.sum, x.square);
  const Real near = 0.5 * log1p(second.sum + ((first.error + second.error) + (x.error + y.error)));
  const Condition is_near = abs(z.re) < 0.5 && abs(z.im) < 0.5;
  return {where(is_near, near, log_abs(shifted)), atan2(z.im, shifted.re)};
}

Number sqrt(const Number& z) {
  const Real size = max(abs(z.re), abs(z.im));
  const Condition is_large = size > 0x1p1000, is_small = size < 0x1p-900;
  const Real down = where(is_large, 0x1p-2, where(is_small, 0x1p108, size.like(1))),
             up = where(is_large, 0x1p1, where(is_small, 0x1p-54, size.like(1)));
  const Number scaled = {z.re * down, z.im * down};
  const Real root = sqrt(0.5 * (abs(scaled.re) + abs(scaled)));
  const Real other = where(root == 0, 0, scaled.im / (2 * root));
  const Condition is_right = z.re >= z.re.like(0), is_vertical = abs(z.im) == kInfinity;
  const Real re = where(is_right, root, abs(other)) * up,
             im = where(is_right, where(root == 0, z.im, other), copysign(root, z.im)) * up;
  return {where(is_vertical, kInfinity, re), where(is_vertical, z.im, im)};
}

Number rsqrt(const Number& z) {
  const Number root = sqrt(z);
  const Real size = abs(z);
  return {root.re / size, -(root.im / size)};
}

/// sinh x and cosh x are these times the scale.
struct Hyperbolic {
  explicit Hyperbolic(Real x) : e(abs(x)), sinh(x), cosh(x) {
    const Real size = abs(x), inverse = x.like(1) / e.power;
    const Real less_one = complex_formulas::expm1(where(size < 1, size, x.like(0)));
    const Real near = 0.5 * (less_one + less_one / (less_one + 1)), far = 0.5 * (e.power - inverse);
    sinh = copysign(where(size < 1, near, far), x);
    cosh = 0.5 * (e.power + inverse);
  }
  ScaledPower e;
  Real sinh, cosh;
};

Number sin(const Number& z) {
  const Hyperbolic h(z.im);
  return {where(z.re == 0, z.re, sin(z.re) * h.cosh * h.e.scale),
          where(z.im == 0, z.im, cos(z.re) * h.sinh * h.e.scale)};
}

Number cos(const Number& z) {
  const Hyperbolic h(z.im);
  const Real product = sin(z.re) * h.sinh * h.e.scale;
  return {cos(z.re) * h.cosh * h.e.scale, where(z.re == 0 || z.im == 0, -(z.re * z.im), -product)};
}

/// Kahan's formula; where tanh of the real part is 1, its limit.
Number tanh(const Number& z) {
  constexpr double kLimit = 20;
  const Condition is_far = abs(z.re) > kLimit;
  const Real x = where(is_far, 0, z.re), tangent = tan(z.im), beta = tangent * tangent + 1;
  const Hyperbolic h(x);
  const Real square = h.sinh * h.sinh, denominator = beta * square + 1;
  const Real limit = where(abs(z.re) == kInfinity, 0, 4 * (sin(z.im) * cos(z.im) * exp(-2 * abs(z.re))));
  return {where(is_far, copysign(x.like(1), z.re), beta * sqrt(square + 1) * h.sinh / denominator),
          where(is_far, limit, tangent / denominator)};
}

Number tan(const Number& z) {
  const Number turned = tanh(Number{-z.im, z.re});
  return {turned.im, -turned.re};
}

Number sinh(const Number& z) {
  const Number turned = sin(Number{-z.im, z.re});
  return {turned.im, -turned.re};
}

Number cosh(const Number& z) { return cos(Number{-z.im, z.re}); }

/// log(x + sqrt(x^2 + 1)) of a real x.
Real inverse_sinh(Real x) {
  const Real size = abs(x);
  const Condition is_large = size > 0x1p500;
  const Real square = size * size, near = log1p(size + square / (sqrt(square + 1) + 1)),
             far = log(size) + std::log(2.0);
  return copysign(where(is_large, far, near), x);
}

Number conjugate_product(const Number& x, const Number& y) { return multiply({x.re, -x.im}, y); }

/// These four are Kahan's: exact on both sides of the branch cuts.
Number asin(const Number& z) {
  const Number below = sqrt(Number{z.re.like(1) - z.re, -z.im}), above = sqrt(Number{z.re + 1, z.im});
  return {atan2(z.re, multiply(below, above).re), inverse_sinh(conjugate_product(below, above).im)};
}

Number acos(const Number& z) {
  const Number below = sqrt(Number{z.re.like(1) - z.re, -z.im}), above = sqrt(Number{z.re + 1, z.im});
  return {2 * atan2(below.re, above.re), inverse_sinh(conjugate_product(above, below).im)};
}

Number acosh(const Number& z) {
  const Number below = sqrt(Number{z.re - 1, z.im}), above = sqrt(Number{z.re + 1, z.im});
  return {inverse_sinh(conjugate_product(below, above).re), 2 * atan2(below.im, above.re)};
}

/// 4x / ((1 - x)^2 + y^2) = e^(4 Re) - 1, of x >= 0; far from 0 the result is i pi / 2 + x / |z|^2.
Number atanh(const Number& z) {
  const Real x = abs(z.re), y = z.im, rest = x.like(1) - x;
  const Real large = max(x, abs(y));
  const Condition is_far = large > 0x1p300;
  const Real re = 0.25 * log1p(4 * (x / (rest * rest + y * y)));
  const Real im = 0.5 * atan2(2 * y, rest * (x + 1) - y * y);
  const Real ratio_x = x / large, ratio_y = y / large;
  const Real far = ratio_x / (ratio_x * ratio_x + ratio_y * ratio_y) / large;
  const Real half_pi = copysign(x.like(std::numbers::pi / 2), y);
  return {copysign(where(is_far, where(is_infinite(z), 0, far), re), z.re), where(is_far, half_pi, im)};
}

Number asinh(const Number& z) {
  const Number turned = asin(Number{-z.im, z.re});
  return {turned.im, -turned.re};
}

Number atan(const Number& z) {
  const Number turned = atanh(Number{-z.im, z.re});
  return {turned.im, -turned.re};
}

/// By e^z or e^-z, whichever is at most 1 in size.
Number logistic(const Number& z) {
  const Condition is_left = z.re < 0;
  const Number e = exp(where(is_left, z, {-z.re, -z.im}));
  const Number one = {z.re.like(1), z.re.like(0)};
  return divide(where(is_left, e, one), {e.re + 1, e.im});
}

Number sign(const Number& z) {
  const Real size = abs(z);
  return where(size == 0, z, {z.re / size, z.im / size});
}

Number cbrt(const Number& z) {
  const Real size = cbrt(abs(z)), angle = atan2(z.im, z.re) / z.re.like(3);
  return {size * cos(angle), size * sin(angle)};
}

/// e^(y log x); x^0 is 1, 0^y is 0.
Number power(const Number& x, const Number& y) {
  const Real zero = x.re.like(0), one = x.re.like(1);
  const Number e = exp(multiply(y, log(x)));
  const Condition vanishes = x.re == 0 && x.im == 0 && y.re > 0;
  return where(y.re == 0 && y.im == 0, {one, zero}, where(vanishes, {zero, zero}, e));
}

/// -i log((x + iy) / sqrt(x^2 + y^2))
Number atan2(const Number& y, const Number& x) {
  const Number turned = {x.re - y.im, x.im + y.re}, x_square = multiply(x, x), y_square = multiply(y, y);
  const Number angle =
      log(divide(turned, sqrt(Number{x_square.re + y_square.re, x_square.im + y_square.im})));
  return {angle.im, -angle.re};
}

Number number(ir::Builder& b, const ComplexParts& z) { return {{&b, z.re}, {&b, z.im}}; }
ComplexParts parts(const Number& z) { return {z.re.v, z.im.v}; }

Number wide(ir::Builder& b, const ComplexParts& z) {
  if (z.re.dtype() == ir::DType::kF64) return number(b, z);
  return {{&b, ops::convert(b, z.re, ir::DType::kF64)}, {&b, ops::convert(b, z.im, ir::DType::kF64)}};
}

ir::Value rounded(Real x, ir::DType dtype) {
  return x.v.dtype() == dtype ? x.v : ops::convert(*x.b, x.v, dtype);
}

struct UnaryRow {
  std::string_view name;
  Number (*function)(const Number&);
};
constexpr UnaryRow kUnary[] = {{"exponential", exp},   {"exponential_minus_one", expm1},
                               {"log", log},           {"log_plus_one", log1p},
                               {"sqrt", sqrt},         {"rsqrt", rsqrt},
                               {"sine", sin},          {"cosine", cos},
                               {"tanh", tanh},         {"tan", tan},
                               {"logistic", logistic}, {"sign", sign},
                               {"cbrt", cbrt},         {"sinh", sinh},
                               {"cosh", cosh},         {"asin", asin},
                               {"acos", acos},         {"atan", atan},
                               {"asinh", asinh},       {"acosh", acosh},
                               {"atanh", atanh}};

struct BinaryRow {
  std::string_view name;
  Number (*function)(const Number&, const Number&);
};
constexpr BinaryRow kBinary[] = {{"divide", divide}, {"power", power}, {"atan2", atan2}};

ComplexParts extremum(ir::Builder& b, const ComplexParts& x, const ComplexParts& y,
                      std::string_view direction) {
  const ir::Value takes_x = complex_compare(b, x, y, direction);
  return {ops::select(b, takes_x, x.re, y.re), ops::select(b, takes_x, x.im, y.im)};
}

}  // namespace
}  // namespace complex_formulas

ComplexParts complex_function(ir::Builder& b, std::string_view name, std::span<const ComplexParts> operands) {
  using namespace complex_formulas;
  const ComplexParts& x = operands[0];
  const ir::DType dtype = x.re.dtype();
  if (name == "negate") return parts({-Real{&b, x.re}, -Real{&b, x.im}});
  for (const UnaryRow& row : kUnary) {
    if (row.name != name) continue;
    const Number result = row.function(wide(b, x));
    return {rounded(result.re, dtype), rounded(result.im, dtype)};
  }
  if (operands.size() < 2) return {};
  const ComplexParts& y = operands[1];
  if (name == "add") return {ops::add(b, x.re, y.re), ops::add(b, x.im, y.im)};
  if (name == "subtract") return {ops::subtract(b, x.re, y.re), ops::subtract(b, x.im, y.im)};
  if (name == "multiply") return parts(multiply(number(b, x), number(b, y)));
  if (name == "maximum") return extremum(b, x, y, "GT");
  if (name == "minimum") return extremum(b, x, y, "LT");
  for (const BinaryRow& row : kBinary) {
    if (row.name != name) continue;
    const Number result = row.function(wide(b, x), wide(b, y));
    return {rounded(result.re, dtype), rounded(result.im, dtype)};
  }
  return {};
}

ir::Value complex_function_of(ir::Builder& b, std::string_view name, ir::Value z) {
  const ComplexParts parts = {real(b, z), imag(b, z)};
  const ComplexParts result = complex_function(b, name, {&parts, 1});
  CORNU_CHECK(result.re, "no complex function {}", name);
  return complex(b, result.re, result.im);
}

ir::Value complex_abs(ir::Builder& b, const ComplexParts& z) {
  using namespace complex_formulas;
  const Number x = wide(b, z);
  if (z.re.dtype() == ir::DType::kF64) return complex_formulas::abs(x).v;
  const Real size = sqrt(x.re * x.re + x.im * x.im);  // squares of smaller types are numbers of f64
  return rounded(where(is_infinite(x), kInfinity, size), z.re.dtype());
}

ir::Value complex_compare(ir::Builder& b, const ComplexParts& x, const ComplexParts& y,
                          std::string_view direction) {
  using enum ops::ComparisonDirection;
  const ops::ComparisonDirection wanted = ops::comparison_direction_from_name(direction);
  const ir::Value equal = ops::compare(b, x.re, y.re, kEq);
  if (wanted == kEq) return ops::and_(b, equal, ops::compare(b, x.im, y.im, kEq));
  if (wanted == kNe) return ops::or_(b, ops::compare(b, x.re, y.re, kNe), ops::compare(b, x.im, y.im, kNe));
  const bool ascending = wanted == kLt || wanted == kLe;
  return ops::or_(b, ops::compare(b, x.re, y.re, ascending ? kLt : kGt),
                  ops::and_(b, equal, ops::compare(b, x.im, y.im, wanted)));
}

}  // namespace cornu::inline v0::ops
