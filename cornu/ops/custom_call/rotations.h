#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "cornu/ops/matrices.h"

/// Rotations of rows and columns: the QR method of reference kernels.
namespace cornu::inline v0::ops::custom_call_folder {

/// A rotation of rows (or columns) k and i.
struct Rotation {
  std::int64_t k, i;
  std::complex<double> x, y;  // of length 1
};

/// Replaces the rows by those in which y becomes 0.
void rotate_rows(const Rotation& rotation, Matrix<std::complex<double>>& a);

/// Multiplies by the adjoint of that from the right.
void rotate_columns(const Rotation& rotation, Matrix<std::complex<double>>& a);

/// Rotates rows up to `last` of t, so that the columns have zeros below the diagonal; returns the rotations.
std::vector<Rotation> triangularizing_rotations(std::int64_t last, Matrix<std::complex<double>>& t);

/// The square root of the sum of all squares.
double norm_of(const Matrix<std::complex<double>>& a);

/// Replaces t by an upper triangular matrix with q t q^H as before; false if there is no convergence.
bool triangularize(Matrix<std::complex<double>>& t, Matrix<std::complex<double>>& q);

}  // namespace cornu::inline v0::ops::custom_call_folder
