#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

struct SchurValues {
  ir::Value t, vectors;
  ir::Value eigenvalues;  // complex, in the order of the diagonal of t
};

/// Schur decomposition of general square matrices.
///
/// Semantics: a = q t q^H with a unitary q. Of complex matrices t is upper triangular; of real ones q and t are
///            real, and t has blocks of two rows and columns on its diagonal for pairs of complex eigenvalues,
///            with equal diagonals and other numbers of opposite signs. Eigenvalues are in any order. NaN
///            everywhere if a has an element that is not finite.
/// Shapes:    a: [batch..., n, n]  ->  t and q [batch..., n, n], eigenvalues [batch..., n]
/// Types:     f32, f64 and complex numbers; eigenvalues are complex.
/// Errors:    InvalidArgument when (I1) a has another dtype or less than 2 dimensions, or its matrices are not
///            square.
/// Gradient:  none.
/// Source:    LAPACK's gees; the custom call cornu.schur, which Cornu's engine and its reference backend have.
SchurValues schur(ir::Builder& builder, ir::Value a);

/// The target of the call.
inline constexpr std::string_view kSchurCall = "cornu.schur";

namespace custom_call_folder {
std::vector<ir::TensorType> infer_schur(const ir::InferContext& context);
std::vector<ir::Literal> reference_schur(const ir::ReferenceContext& context);

/// The cosine and the sine of a rotation of two rows and columns.
struct BlockRotation {
  double x, y;
  bool has_real_eigenvalues;  // the rotated block is triangular; else its diagonal has equal numbers
};

/// The rotation after which the block {{a, b}, {c, d}} has the form of a Schur decomposition.
inline BlockRotation rotation_of_block(double a, double b, double c, double d) {
  const double half = (a - d) / 2, square = half * half + b * c;
  if (square < 0) {  // complex eigenvalues: equal diagonals
    const double angle = std::atan2(d - a, b + c) / 2;
    return {std::cos(angle), std::sin(angle), false};
  }
  // An eigenvector of the eigenvalue that is farther from d.
  const double distance = half + std::copysign(std::sqrt(square), half);
  const double length = std::hypot(distance, c);
  return length == 0 ? BlockRotation{1, 0, true} : BlockRotation{distance / length, c / length, true};
}

/// The eigenvalues of a real matrix in Schur form, row-major.
inline void schur_eigenvalues(std::int64_t n, const double* t, std::complex<double>* values) {
  for (std::int64_t i = 0; i < n; ++i) {
    values[i] = t[i * n + i];
    if (i + 1 == n || t[(i + 1) * n + i] == 0) continue;
    const double imaginary = std::sqrt(std::abs(t[i * n + i + 1])) * std::sqrt(std::abs(t[(i + 1) * n + i]));
    values[i].imag(imaginary);
    values[i + 1] = std::conj(values[i]);
    ++i;
  }
}
}  // namespace custom_call_folder

}  // namespace cornu::inline v0::ops
