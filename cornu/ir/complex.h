#pragma once

#include <complex>

#include "cornu/ir/literal.h"

/// Complex element types in C++: a complex element is its real part, then its imaginary part.
namespace cornu::inline v0::ir {

template <>
inline constexpr std::optional<DType> kDTypeOf<std::complex<float>> = DType::kC64;
template <>
inline constexpr std::optional<DType> kDTypeOf<std::complex<double>> = DType::kC128;

/// The dtype of the parts of complex numbers: f32 for complex<f32>; other dtypes are returned as they are.
DType real_dtype(DType dtype);

/// complex<f32> for f32, complex<f64> for f64.
DType complex_dtype(DType real);

/// True for floats, also small ones, and complex numbers, through which gradients flow.
inline bool is_differentiable(DType dtype) {
  return is_float(dtype) || is_complex(dtype) || is_small_float(dtype);
}

/// Calls f.operator()<T>() with std::complex<float> or std::complex<double>; returns false for real dtypes.
template <typename F>
bool visit_complex_dtype(DType dtype, F&& f) {
  if (dtype == DType::kC64) f.template operator()<std::complex<float>>();
  if (dtype == DType::kC128) f.template operator()<std::complex<double>>();
  return is_complex(dtype);
}

/// Element `i` (row-major) of a complex literal.
std::complex<double> complex_at(const Literal& literal, std::int64_t i);

/// The real and the imaginary parts of a complex literal.
Literal real_part(const Literal& literal);
Literal imag_part(const Literal& literal);

/// The complex literal of two literals of f32 or f64 with one type.
Literal complex_literal(const Literal& real, const Literal& imag);

}  // namespace cornu::inline v0::ir
