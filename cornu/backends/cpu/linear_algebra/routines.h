#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#include "cornu/base/cpu_info.h"

/// Decompositions of single matrices: our own code (planar_*), compiled for each instruction set level; f32 and
/// complex<f32> from AVX2 on. Eigenvalues of general matrices are Eigen's.
namespace cornu::inline v0::backends::cpu {

/// The form of a triangular system; see ops::TriangularSystem.
struct TriangularForm {
  bool left_side = true, lower = true, unit_diagonal = false, transposed = false, conjugated = false;
};

/// float for float and std::complex<float>, double for the others.
template <typename T>
using RealOf = decltype(std::abs(T()));

/// Functions for f32, f64, complex<f32> or complex<f64>. Matrices are row-major, [rows, columns].
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
  /// Replaces a by its LU decomposition in LAPACK's getrf form; step k exchanged rows k and pivots[k].
  void (*lu)(std::int64_t rows, std::int64_t columns, T* a, std::int32_t* pivots) = nullptr;
  /// Replaces the symmetric or Hermitian a, of which one triangle is read, by its eigenvectors; eigenvalues in ascending
  /// order. False if a has an element that is not finite, or there is no convergence.
  bool (*eigh)(std::int64_t n, bool lower, T* a, RealOf<T>* eigenvalues) = nullptr;
  /// Singular values in descending order; u and vh, unless null, are square if `full`, else thin. False as
  /// eigh.
  bool (*svd)(std::int64_t rows, std::int64_t columns, bool full, const T* a, T* u, RealOf<T>* s,
              T* vh) = nullptr;
};

namespace planar_sse2 {
extern const LinearAlgebra<double> kDouble;
extern const LinearAlgebra<std::complex<double>> kComplexDouble;
}  // namespace planar_sse2
namespace planar_avx2 {
extern const LinearAlgebra<float> kFloat;
extern const LinearAlgebra<double> kDouble;
extern const LinearAlgebra<std::complex<float>> kComplexFloat;
extern const LinearAlgebra<std::complex<double>> kComplexDouble;
}  // namespace planar_avx2
namespace planar_avx512 {
extern const LinearAlgebra<float> kFloat;
extern const LinearAlgebra<double> kDouble;
extern const LinearAlgebra<std::complex<float>> kComplexFloat;
extern const LinearAlgebra<std::complex<double>> kComplexDouble;
}  // namespace planar_avx512

/// Eigenvalues, and eigenvectors of length 1, of a general matrix. False as eigh.
bool general_eigenvalues(std::int64_t n, const double* a, std::complex<double>* values,
                         std::complex<double>* vectors);
bool general_eigenvalues(std::int64_t n, const std::complex<double>* a, std::complex<double>* values,
                         std::complex<double>* vectors);

/// The Schur decomposition of a general matrix (ops/custom_call/schur.h). False as eigh.
bool schur_form(std::int64_t n, const double* a, double* t, double* vectors, std::complex<double>* values);
bool schur_form(std::int64_t n, const std::complex<double>* a, std::complex<double>* t,
                std::complex<double>* vectors, std::complex<double>* values);

/// True if matrices of f32 and complex<f32> have functions of their own; else they are decomposed in twice the
/// precision.
constexpr bool has_f32_decompositions(IsaLevel level) { return level != IsaLevel::kSse2; }

template <typename T>
const LinearAlgebra<T>& linear_algebra(IsaLevel level);

}  // namespace cornu::inline v0::backends::cpu
