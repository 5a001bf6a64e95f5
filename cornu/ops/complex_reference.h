#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

/// Functions of complex numbers for reference kernels, in f64. The standard library has the others.
namespace cornu::inline v0::ops::complex_reference {

using Complex = std::complex<double>;

template <typename T>
inline constexpr bool kIsComplex = std::is_same_v<T, Complex>;

/// (ac - bd, ad + bc), as the specification has it: operator* would repair products of infinities.
inline Complex product(Complex x, Complex y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

/// Smith's division, as NumPy computes it: no square that could overflow.
inline Complex quotient(Complex x, Complex y) {
  const double a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  if (c == 0 && d == 0) return {a / std::fabs(c), b / std::fabs(c)};
  if (std::fabs(c) >= std::fabs(d)) {
    const double ratio = d / c, scale = 1 / (c + d * ratio);
    return {(a + b * ratio) * scale, (b - a * ratio) * scale};
  }
  const double ratio = c / d, scale = 1 / (c * ratio + d);
  return {(a * ratio + b) * scale, (b * ratio - a) * scale};
}

inline Complex expm1(Complex z) {
  const double half_sine = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half_sine * half_sine,
          std::exp(z.real()) * std::sin(z.imag())};
}

inline Complex log1p(Complex z) {
  const double a = z.real(), b = z.imag();
  if (std::fabs(a) > 0.5 || std::fabs(b) > 0.5) return std::log(1.0 + z);
  const auto wide = static_cast<long double>(a);  // 2a + a^2 + b^2 cancels where a is negative
  const long double above_one = wide * (2 + wide) + static_cast<long double>(b) * b;
  return {static_cast<double>(std::log1p(above_one) / 2), std::atan2(b, 1 + a)};
}

inline Complex reciprocal_root(Complex z) {
  const Complex root = std::sqrt(z);
  const double size = std::abs(z);
  return {root.real() / size, -root.imag() / size};
}

inline Complex sign(Complex z) {
  const double size = std::abs(z);
  return size == 0 ? z : Complex(z.real() / size, z.imag() / size);
}

inline Complex cube_root(Complex z) {
  return z == 0.0 ? z : std::polar(std::cbrt(std::abs(z)), std::arg(z) / 3);
}

/// e^(y log x); x^0 is 1, 0^y is 0.
inline Complex power(Complex x, Complex y) {
  if (y == 0.0) return 1;
  if (x == 0.0 && y.real() > 0) return 0;
  return std::exp(product(y, std::log(x)));
}

/// -i log((x + iy) / sqrt(x^2 + y^2))
inline Complex angle(Complex y, Complex x) {
  constexpr Complex kI(0, 1);
  return -kI * std::log(quotient(x + kI * y, std::sqrt(product(x, x) + product(y, y))));
}

/// The order by real parts, then by imaginary parts.
inline bool is_less(Complex x, Complex y) {
  return x.real() < y.real() || (x.real() == y.real() && x.imag() < y.imag());
}

}  // namespace cornu::inline v0::ops::complex_reference
