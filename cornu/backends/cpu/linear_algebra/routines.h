#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#include "cornu/base/cpu_info.h"

/// Decompositions of single matrices by Eigen, compiled for each instruction set level; those of
/// complex matrices are compiled once, and those of f32 from AVX2 on.
namespace cornu::inline v0::backends::cpu {

/// The form of a triangular system; see ops::TriangularSystem.
struct TriangularForm {
  bool left_side = true, lower = true, unit_diagonal = false, transposed = false, conjugated = false;
};

/// float for float and std::complex<float>, double for the others.
template <typename T>
using RealOf = decltype(std::abs(T()));

/// Functions for f32, f64 or complex<f64>. Matrices are row-major, [rows, columns].
template <typename T>
struct LinearAlgebra {
  /// Replaces the lower or the upper triangle of a by its Cholesky factor, and the other one by zeros; false
  /// if a is not positive definite.
  bool (*cholesky)(std::int64_t n, bool lower, T* a) = nullptr;
  /// Replaces b, [n, m] or [m, n], by the solution for the triangle of a, [n, n].
  void (*triangular_solve)(std::int64_t n, std::int64_t m, const TriangularForm& form, const T* a,
                           T* b) = nullptr;
  /// Replaces a by LAPACK's geqrf form: R, and below the diagonal the reflectors with the factors taus.
  void (*qr)(std::int64_t rows, std::int64_t columns, T* a, T* taus) = nullptr;
  /// The first columns of the product of reflectors in geqrf form.
  void (*householder_product)(std::int64_t rows, std::int64_t columns, std::int64_t num_reflectors,
                              const T* a, const T* taus, T* q) = nullptr;
  /// Replaces a complex a by its LU decomposition, as lu_by_blocks does for others. Null for real matrices.
  void (*lu)(std::int64_t rows, std::int64_t columns, T* a, std::int32_t* pivots) = nullptr;
  /// Replaces the symmetric or Hermitian a, of which one triangle is read, by its eigenvectors; eigenvalues in ascending
  /// order. False if a has an element that is not finite, or there is no convergence.
  bool (*eigh)(std::int64_t n, bool lower, T* a, RealOf<T>* eigenvalues) = nullptr;
  /// Singular values in descending order; u and vh, unless null, are square if `full`, else thin. False as
  /// eigh.
  bool (*svd)(std::int64_t rows, std::int64_t columns, bool full, const T* a, T* u, RealOf<T>* s,
              T* vh) = nullptr;
};

namespace linear_algebra_sse2 {
extern const LinearAlgebra<double> kDouble;
}  // namespace linear_algebra_sse2
namespace linear_algebra_avx2 {
extern const LinearAlgebra<float> kFloat;
extern const LinearAlgebra<double> kDouble;
}  // namespace linear_algebra_avx2
namespace linear_algebra_avx512 {
extern const LinearAlgebra<float> kFloat;
extern const LinearAlgebra<double> kDouble;
}  // namespace linear_algebra_avx512

namespace linear_algebra_complex {
/// Eigenvalues, and eigenvectors of length 1, of a general matrix. False as eigh.
bool eig(std::int64_t n, const double* a, std::complex<double>* values, std::complex<double>* vectors);
bool eig(std::int64_t n, const std::complex<double>* a, std::complex<double>* values,
         std::complex<double>* vectors);
extern const LinearAlgebra<std::complex<double>> kComplex;
}  // namespace linear_algebra_complex

/// True if matrices of f32 have functions of their own; else they are decomposed in f64.
constexpr bool has_f32_decompositions(IsaLevel level) { return level != IsaLevel::kSse2; }

template <typename T>
const LinearAlgebra<T>& linear_algebra(IsaLevel level);

}  // namespace cornu::inline v0::backends::cpu
