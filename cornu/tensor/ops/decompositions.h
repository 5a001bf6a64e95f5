#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/value/tensor.h"

/// Linear equations and decompositions of matrices, under their names in keras.ops and keras.ops.linalg.
///
/// Shapes:    a tensor [..., m, n] is a batch of matrices; each of them is computed by itself.
/// Types:     f32 and f64; other numbers are converted to f32.
/// Errors:    InvalidArgument with the function's name and the shapes for less than 2 axes, and where square
///            matrices are needed, for others.
namespace cornu::inline v0::ops {

struct TriangleOptions {  // options/ops.toml
  /// True: the factor is upper triangular.
  bool upper = false;
};
/// The lower triangular L with L L^T = x for symmetric positive definite matrices; with `upper` the U with U^T U = x.
/// Other matrices are replaced by (x + x^T) / 2. Outside of a trace those that are not positive definite are
/// refused; in a trace they give NaN.
Tensor cholesky(const Tensor& x, const TriangleOptions& options = {});
/// The inverse of L L^T (with `upper`: of U^T U) from the factor x, as Keras on JAX and PyTorch.
Tensor cholesky_inverse(const Tensor& x, const TriangleOptions& options = {});

struct LuFactor {
  Tensor lu;      // [..., m, n]: U, and below its diagonal L, whose diagonal is 1
  Tensor pivots;  // i32 [..., min(m, n)]: step k exchanged rows k and pivots[k]
};
/// The LU decomposition with partial pivoting.
LuFactor lu_factor(const Tensor& x);
/// The determinant: [..., n, n] -> [...].
Tensor det(const Tensor& x);
struct SlogDet {
  Tensor sign;    // 1, -1, or 0 for singular matrices
  Tensor logdet;  // the logarithm of the absolute value
};
/// Sign and logarithm of the determinant, which does not overflow.
SlogDet slogdet(const Tensor& x);
/// The logarithm of the absolute value of the determinant.
Tensor logdet(const Tensor& x);
/// The inverse of square matrices. Singular ones give numbers that are not finite.
Tensor inv(const Tensor& x);
/// The solutions of a x = b: a [..., n, n] and b [..., n, k], or one vector b [n] for all a. Batches are broadcast.
Tensor solve(const Tensor& a, const Tensor& b);
struct SolveTriangularOptions {  // options/ops.toml
  /// True: the lower triangle of a is read, else the upper one.
  bool lower = false;
};
/// solve for triangular matrices; the other triangle of a is not read. A b with one axis less than a is vectors, too.
Tensor solve_triangular(const Tensor& a, const Tensor& b, const SolveTriangularOptions& options = {});

struct QrOptions {  // options/ops.toml
  /// "reduced": q has min(m, n) columns; "complete": q is square.
  std::string_view mode = "reduced";
};
struct Qr {
  Tensor q;  // orthonormal columns
  Tensor r;  // upper triangular
};
/// The QR decomposition: [..., m, n] -> q [..., m, k], r [..., k, n]. Gradient: not of "complete" for m > n.
Qr qr(const Tensor& x, const QrOptions& options = {});

struct Eig {
  Tensor eigenvalues;   // complex, [..., n], in any order
  Tensor eigenvectors;  // complex, [..., n, n]: column k belongs to eigenvalue k; length 1, its phase is free
};
/// Eigenvalues and eigenvectors of square matrices, real or complex, which need not be symmetric: [..., n, n]
/// with eigenvectors V and eigenvalues w so that x V = V diag(w). They are complex64, or complex128 of float64.
/// Devices of plug-ins do not have it.
/// Gradient: of losses that do not depend on phases; infinite or NaN where eigenvalues are equal.
Eig eig(const Tensor& x);

struct Eigh {
  Tensor eigenvalues;   // [..., n], in ascending order
  Tensor eigenvectors;  // [..., n, n]: column k belongs to eigenvalue k; its sign is free
};
/// Eigenvalues and eigenvectors of symmetric matrices; others are replaced by (x + x^T) / 2.
Eigh eigh(const Tensor& x);

struct SvdOptions {  // options/ops.toml
  /// True: u and vh are square. False: they have min(m, n) columns or rows.
  bool full_matrices = true;
  /// False: only the singular values are computed.
  bool compute_uv = true;
};
/// The singular value decomposition x = u diag(s) vh: {u, s, vh}, or {s} unless compute_uv. The singular values
/// s [..., min(m, n)] are in descending order; the sign of a pair of vectors is free.
std::vector<Tensor> svd(const Tensor& x, const SvdOptions& options = {});
struct CutoffOptions {  // options/ops.toml
  /// Share of the largest singular value up to which others count as 0; unset: it follows from the dtype and
  /// the shape.
  std::optional<double> rcond = {};
};
/// The Moore-Penrose inverse: [..., m, n] -> [..., n, m].
Tensor pinv(const Tensor& x, const CutoffOptions& options = {});
/// The x of the smallest norm among those that minimize the norm of a x - b: a [m, n], b [m] or [m, k] -> [n] or
/// [n, k]. Errors: InvalidArgument for other shapes.
Tensor lstsq(const Tensor& a, const Tensor& b, const CutoffOptions& options = {});
struct MatrixRankOptions {  // options/ops.toml
  /// Singular value up to which others count as 0; unset: it follows from the largest one, the dtype and the
  /// shape.
  std::optional<double> tol = {};
};
/// The number of singular values above a threshold: [..., m, n] -> i32 [...].
Tensor matrix_rank(const Tensor& x, const MatrixRankOptions& options = {});

/// The names of keras.ops.linalg.
namespace linalg {
using ops::cholesky, ops::cholesky_inverse, ops::det, ops::eigh, ops::inv, ops::lstsq, ops::lu_factor,
    ops::matrix_rank, ops::pinv, ops::qr, ops::solve, ops::solve_triangular, ops::svd;
}  // namespace linalg

}  // namespace cornu::inline v0::ops
