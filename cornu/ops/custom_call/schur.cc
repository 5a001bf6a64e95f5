#include "cornu/ops/custom_call/schur.h"

#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "cornu/ir/complex.h"
#include "cornu/ops/custom_call/eig.h"
#include "cornu/ops/custom_call/rotations.h"
#include "cornu/ops/matrices.h"

namespace cornu::inline v0::ops::custom_call_folder {
namespace {

using Number = std::complex<double>;

/// Turns rows and columns k and k + 1, so that t has Schur form there.
void finish_block(std::int64_t k, Matrix<Number>& t, Matrix<Number>& q) {
  const BlockRotation block =
      rotation_of_block(t(k, k).real(), t(k, k + 1).real(), t(k + 1, k).real(), t(k + 1, k + 1).real());
  const Rotation rotation{k, k + 1, block.x, block.y};
  rotate_rows(rotation, t);
  rotate_columns(rotation, t);
  rotate_columns(rotation, q);
  if (block.has_real_eigenvalues)
    t(k + 1, k) = 0;
  else
    t(k, k) = t(k + 1, k + 1) = (t(k, k) + t(k + 1, k + 1)) / 2.0;
}

/// One step of the QR method with both eigenvalues of the last two rows and columns up to `last` as shifts.
void double_step(double exceptional, std::int64_t last, Matrix<Number>& t, Matrix<Number>& q) {
  const Number a = t(last - 1, last - 1), d = t(last, last) + exceptional;
  const Number trace = a + d, determinant = a * d - t(last - 1, last) * t(last, last - 1);
  Matrix<Number> polynomial(last + 1, last + 1);  // (t - s1)(t - s2)
  for (std::int64_t i = 0; i <= last; ++i)
    for (std::int64_t j = 0; j <= last; ++j) {
      Number sum = (i == j ? determinant : Number()) - trace * t(i, j);
      for (std::int64_t k = 0; k <= last; ++k) sum += t(i, k) * t(k, j);
      polynomial(i, j) = sum;
    }
  for (const Rotation& rotation : triangularizing_rotations(last, polynomial)) {
    rotate_rows(rotation, t);
    rotate_columns(rotation, t);
    rotate_columns(rotation, q);
  }
}

/// The sum of the magnitudes in a row's first columns.
double row_sum(const Matrix<Number>& t, std::int64_t row, std::int64_t num_columns) {
  double sum = 0;
  for (std::int64_t j = 0; j < num_columns; ++j) sum += std::abs(t(row, j));
  return sum;
}

/// The number of last rows up to `last` that are separate from the rows before: 1, 2, or 0.
std::int64_t num_separate_rows(const Matrix<Number>& t, std::int64_t last, double small) {
  if (row_sum(t, last, last) <= small) return 1;
  return row_sum(t, last, last - 1) + row_sum(t, last - 1, last - 1) <= small ? 2 : 0;
}

/// Replaces the real t by its Schur form with q t q^T as before; false if there is no convergence.
bool to_real_schur_form(Matrix<Number>& t, Matrix<Number>& q) {
  constexpr int kMostSteps = 300;
  const double small = norm_of(t) * std::numeric_limits<double>::epsilon();
  if (!std::isfinite(small)) return false;
  for (std::int64_t last = t.rows() - 1; last > 0;) {
    std::int64_t count = 0;
    for (int steps = 0; (count = num_separate_rows(t, last, small)) == 0; ++steps) {
      if (steps == kMostSteps) return false;
      // An exceptional shift every ten steps: some matrices repeat.
      double_step(steps % 10 == 9 ? row_sum(t, last, last) : 0, last, t, q);
    }
    for (std::int64_t i = last - count + 1; i <= last; ++i)
      for (std::int64_t j = 0; j <= last - count; ++j) t(i, j) = 0;
    if (count == 2) finish_block(last - 1, t, q);
    last -= count;
  }
  return true;
}

}  // namespace

std::vector<ir::TensorType> infer_schur(const ir::InferContext& context) {
  const std::vector<ir::TensorType> eigenvalues_and_vectors = infer_eig(context);
  return {context.type(0), context.type(0), eigenvalues_and_vectors[0]};
}

std::vector<ir::Literal> reference_schur(const ir::ReferenceContext& context) {
  const ir::Literal& a = context.operands[0];
  const std::int64_t n = a.type().dims.back();
  ir::Literal form(context.op.result(0).type()), vectors(context.op.result(1).type()),
      values(context.op.result(2).type());
  visit_matrix_type(a.type().dtype, [&]<typename T>() {
    constexpr bool kIsReal = std::is_same_v<T, double>;
    const auto as_element = [](Number x) {
      if constexpr (kIsReal)
        return x.real();
      else
        return x;
    };
    for (std::int64_t batch = 0; batch < num_matrices(a.type()); ++batch) {
      const Matrix<T> given = read_matrix<T>(a, batch);
      Matrix<Number> t(n, n), q(n, n), w(1, n);
      for (std::int64_t i = 0; i < n; ++i) {
        q(i, i) = 1;
        for (std::int64_t j = 0; j < n; ++j) t(i, j) = given(i, j);
      }
      const bool converges = kIsReal ? to_real_schur_form(t, q) : triangularize(t, q);
      const double nan = std::numeric_limits<double>::quiet_NaN();
      Matrix<T> t_rounded(n, n), q_rounded(n, n);
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          t_rounded(i, j) = converges ? as_element(t(i, j)) : T(nan);
          q_rounded(i, j) = converges ? as_element(q(i, j)) : T(nan);
        }
      if constexpr (kIsReal)
        schur_eigenvalues(n, &t_rounded(0, 0), &w(0, 0));
      else
        for (std::int64_t i = 0; i < n; ++i) w(0, i) = t_rounded(i, i);
      write_matrix(t_rounded, batch, form);
      write_matrix(q_rounded, batch, vectors);
      write_matrix(w, batch, values);
    }
  });
  return {form, vectors, values};
}

}  // namespace cornu::inline v0::ops::custom_call_folder
