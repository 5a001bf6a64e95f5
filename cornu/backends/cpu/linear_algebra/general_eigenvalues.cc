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

}  // namespace

bool general_eigenvalues(std::int64_t n, const double* a, std::complex<double>* values,
                         std::complex<double>* vectors) {
  return eig_by<Eigen::EigenSolver<ColumnMajor<double>>>(n, a, values, vectors);
}

bool general_eigenvalues(std::int64_t n, const std::complex<double>* a, std::complex<double>* values,
                         std::complex<double>* vectors) {
  return eig_by<Eigen::ComplexEigenSolver<ColumnMajor<std::complex<double>>>>(n, a, values, vectors);
}

}  // namespace cornu::inline v0::backends::cpu
