// Eigenvalues of general matrices by Eigen, compiled for SSE2 (CMakeLists.txt): the time of rotations hardly
// depends on the level, and Eigen takes long to compile. Eigen's namespace has a name of its own: a program
// that links this library may use Eigen with other instructions.

#define Eigen CornuEigen
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <complex>
#include <cstdint>

#include "cornu/backends/cpu/linear_algebra/routines.h"
#include "cornu/ops/custom_call/schur.h"

namespace cornu::inline v0::backends::cpu {
namespace {

template <typename T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using ColumnMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <typename Solver, typename T>
bool eig_by(std::int64_t n, const T* a, std::complex<double>* values, std::complex<double>* vectors) {
  const ColumnMajor<T> matrix = Eigen::Map<const RowMajor<T>>(a, n, n);
  if (!matrix.allFinite()) return false;
  const Solver solver(matrix);
  if (solver.info() != Eigen::Success) return false;
  std::copy_n(solver.eigenvalues().data(), n, values);
  Eigen::Map<RowMajor<std::complex<double>>>(vectors, n, n) = solver.eigenvectors();
  return true;
}

template <typename Solver, typename T>
bool schur_by(std::int64_t n, const T* a, ColumnMajor<T>& t, ColumnMajor<T>& vectors) {
  t = Eigen::Map<const RowMajor<T>>(a, n, n);
  if (!t.allFinite()) return false;
  const Solver solver(t);
  if (solver.info() != Eigen::Success) return false;
  t = solver.matrixT();
  vectors = solver.matrixU();
  return true;
}

/// Gives the blocks of a real Schur form equal diagonals.
void finish_blocks(ColumnMajor<double>& t, ColumnMajor<double>& vectors) {
  for (std::int64_t k = 0; k + 1 < t.rows(); ++k) {
    if (t(k + 1, k) == 0) continue;
    const auto [x, y, has_real_eigenvalues] =
        ops::custom_call_folder::rotation_of_block(t(k, k), t(k, k + 1), t(k + 1, k), t(k + 1, k + 1));
    Eigen::Matrix2d rotation;
    rotation << x, -y, y, x;
    t.middleRows(k, 2) = (rotation.transpose() * t.middleRows(k, 2)).eval();
    t.middleCols(k, 2) = (t.middleCols(k, 2) * rotation).eval();
    vectors.middleCols(k, 2) = (vectors.middleCols(k, 2) * rotation).eval();
    if (has_real_eigenvalues)
      t(k + 1, k) = 0;
    else
      t(k, k) = t(k + 1, k + 1) = (t(k, k) + t(k + 1, k + 1)) / 2;
    ++k;
  }
}

}  // namespace

bool schur_form(std::int64_t n, const double* a, double* t, double* vectors, std::complex<double>* values) {
  ColumnMajor<double> form, q;
  if (!schur_by<Eigen::RealSchur<ColumnMajor<double>>>(n, a, form, q)) return false;
  finish_blocks(form, q);
  Eigen::Map<RowMajor<double>>(t, n, n) = form;
  Eigen::Map<RowMajor<double>>(vectors, n, n) = q;
  ops::custom_call_folder::schur_eigenvalues(n, t, values);
  return true;
}

bool schur_form(std::int64_t n, const std::complex<double>* a, std::complex<double>* t,
                std::complex<double>* vectors, std::complex<double>* values) {
  using Complex = std::complex<double>;
  ColumnMajor<Complex> form, q;
  if (!schur_by<Eigen::ComplexSchur<ColumnMajor<Complex>>>(n, a, form, q)) return false;
  Eigen::Map<RowMajor<Complex>>(t, n, n) = form.triangularView<Eigen::Upper>();
  Eigen::Map<RowMajor<Complex>>(vectors, n, n) = q;
  for (std::int64_t i = 0; i < n; ++i) values[i] = form(i, i);
  return true;
}

bool general_eigenvalues(std::int64_t n, const double* a, std::complex<double>* values,
                         std::complex<double>* vectors) {
  return eig_by<Eigen::EigenSolver<ColumnMajor<double>>>(n, a, values, vectors);
}

bool general_eigenvalues(std::int64_t n, const std::complex<double>* a, std::complex<double>* values,
                         std::complex<double>* vectors) {
  return eig_by<Eigen::ComplexEigenSolver<ColumnMajor<std::complex<double>>>>(n, a, values, vectors);
}

}  // namespace cornu::inline v0::backends::cpu
