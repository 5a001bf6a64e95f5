#include "cornu/ops/custom_call/eig.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/lu/lu.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/triangular_solve/triangular_solve.h"

namespace cornu::inline v0::ops {
namespace custom_call_folder {
namespace {

using Number = std::complex<double>;

/// A rotation of rows (or columns) k and i.
struct Rotation {
  std::int64_t k, i;
  Number x, y;  // of length 1
};

/// Replaces the rows by those in which y becomes 0.
void rotate_rows(const Rotation& r, Matrix<Number>& a) {
  for (std::int64_t j = 0; j < a.columns(); ++j) {
    const Number upper = a(r.k, j), lower = a(r.i, j);
    a(r.k, j) = std::conj(r.x) * upper + std::conj(r.y) * lower;
    a(r.i, j) = -r.y * upper + r.x * lower;
  }
}

/// Multiplies by the adjoint of that from the right.
void rotate_columns(const Rotation& r, Matrix<Number>& a) {
  for (std::int64_t j = 0; j < a.rows(); ++j) {
    const Number left = a(j, r.k), right = a(j, r.i);
    a(j, r.k) = r.x * left + r.y * right;
    a(j, r.i) = -std::conj(r.y) * left + std::conj(r.x) * right;
  }
}

/// One step of the QR method with a shift on rows and columns up to `last`; q collects the rotations.
void step(Number shift, std::int64_t last, Matrix<Number>& t, Matrix<Number>& q) {
  for (std::int64_t i = 0; i <= last; ++i) t(i, i) -= shift;
  std::vector<Rotation> rotations;
  for (std::int64_t k = 0; k < last; ++k)
    for (std::int64_t i = k + 1; i <= last; ++i) {
      const double length = std::hypot(std::abs(t(k, k)), std::abs(t(i, k)));
      if (length == 0) continue;
      rotations.push_back({k, i, t(k, k) / length, t(i, k) / length});
      rotate_rows(rotations.back(), t);
    }
  for (const Rotation& rotation : rotations) {
    rotate_columns(rotation, t);
    rotate_columns(rotation, q);
  }
  for (std::int64_t i = 0; i <= last; ++i) t(i, i) += shift;
}

/// The eigenvalue of the last two rows and columns that is nearer to the last element.
Number wilkinson_shift(const Matrix<Number>& t, std::int64_t last) {
  const Number a = t(last - 1, last - 1), d = t(last, last), half = (a - d) / 2.0;
  const Number root = std::sqrt(half * half + t(last - 1, last) * t(last, last - 1));
  const Number plus = d + half + root, minus = d + half - root;
  return std::abs(plus - d) < std::abs(minus - d) ? plus : minus;
}

double norm_of(const Matrix<Number>& a) {
  double sum = 0;
  for (std::int64_t i = 0; i < a.rows(); ++i)
    for (std::int64_t j = 0; j < a.columns(); ++j) sum += std::norm(a(i, j));
  return std::sqrt(sum);
}

/// Replaces t by an upper triangular matrix with q t q^H as before; false if there is no convergence.
bool triangularize(Matrix<Number>& t, Matrix<Number>& q) {
  constexpr int kMostSteps = 300;
  const double small = norm_of(t) * std::numeric_limits<double>::epsilon();
  if (!std::isfinite(small)) return false;
  for (std::int64_t last = t.rows() - 1; last > 0; --last) {
    for (int steps = 0;; ++steps) {
      double left = 0;
      for (std::int64_t j = 0; j < last; ++j) left += std::abs(t(last, j));
      if (left <= small) break;
      if (steps == kMostSteps) return false;
      // Now and then another shift: some matrices turn in a circle.
      const Number shift = wilkinson_shift(t, last);
      step(steps % 10 == 9 ? shift + left : shift, last, t, q);
    }
    for (std::int64_t j = 0; j < last; ++j) t(last, j) = 0;
  }
  return true;
}

/// The eigenvectors of an upper triangular matrix, times q, with length 1.
Matrix<Number> vectors_of(const Matrix<Number>& t, const Matrix<Number>& q) {
  const std::int64_t n = t.rows();
  const double small =
      std::max(norm_of(t) * std::numeric_limits<double>::epsilon(), std::numeric_limits<double>::min());
  Matrix<Number> vectors(n, n);
  for (std::int64_t k = 0; k < n; ++k) {
    std::vector<Number> x(static_cast<std::size_t>(n));
    x[static_cast<std::size_t>(k)] = 1;
    for (std::int64_t i = k - 1; i >= 0; --i) {
      Number sum = 0;
      for (std::int64_t j = i + 1; j <= k; ++j) sum += t(i, j) * x[static_cast<std::size_t>(j)];
      const Number difference = t(i, i) - t(k, k);
      x[static_cast<std::size_t>(i)] = -sum / (std::abs(difference) < small ? Number(small) : difference);
    }
    double length = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j <= k; ++j) vectors(i, k) += q(i, j) * x[static_cast<std::size_t>(j)];
      length += std::norm(vectors(i, k));
    }
    for (std::int64_t i = 0; i < n; ++i) vectors(i, k) /= std::sqrt(length);
  }
  return vectors;
}

/// The solution x of a x = b.
ir::Value lu_solution(ir::Builder& b, ir::Value a, ir::Value right) {
  const LuValues factors = lu(b, a);
  ir::Dims columns = factors.permutation.dims();
  columns.push_back(1);
  const ir::Value sources = matrix_loops::spread(b, reshape(b, factors.permutation, columns), a.dims());
  const ir::Value moves =
      compare(b, sources, matrix_loops::positions(b, a.dims(), 1), ComparisonDirection::kEq);
  const ir::Value rows = matrix_product(b, matrix_loops::masked(b, moves, full(b, a.type(), 1)), right);
  const ir::Value below = triangular_solve(b, factors.lu, rows, {.lower = true, .unit_diagonal = true});
  return triangular_solve(b, factors.lu, below, {.lower = false});
}

}  // namespace

std::vector<ir::TensorType> infer_eig(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::TensorType& a = context.type(0);
  check_decomposed(a, "a", "I1");
  if (a.dims[a.dims.size() - 2] != a.dims.back())
    invalid_argument("(I1) the matrices of a must be square; got {}", a.str());
  const ir::DType dtype = ir::is_complex(a.dtype) ? a.dtype : ir::complex_dtype(a.dtype);
  return {{dtype, {a.dims.begin(), a.dims.end() - 1}}, {dtype, a.dims}};
}

std::vector<ir::Literal> reference_eig(const ir::ReferenceContext& context) {
  const ir::Literal& a = context.operands[0];
  const std::int64_t n = a.type().dims.back();
  ir::Literal values(context.op.result(0).type()), vectors(context.op.result(1).type());
  for (std::int64_t batch = 0; batch < num_matrices(a.type()); ++batch) {
    Matrix<Number> t(n, n), q(n, n), w(1, n);
    visit_matrix_type(a.type().dtype, [&]<typename T>() {
      const Matrix<T> given = read_matrix<T>(a, batch);
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) t(i, j) = given(i, j);
    });
    for (std::int64_t i = 0; i < n; ++i) q(i, i) = 1;
    const bool converges = triangularize(t, q);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::int64_t i = 0; i < n; ++i) w(0, i) = converges ? t(i, i) : Number(nan, nan);
    Matrix<Number> v = vectors_of(t, q);
    for (std::int64_t i = 0; !converges && i < n * n; ++i) v(i / n, i % n) = Number(nan, nan);
    write_matrix(w, batch, values);
    write_matrix(v, batch, vectors);
  }
  return {values, vectors};
}

std::vector<ir::Value> eig_gradient(const ir::GradientContext& context) {
  using namespace matrix_loops;
  ir::Builder& b = context.builder;
  const ir::Value w = context.op.result(0), v = context.op.result(1);
  const ir::Value w_gradient = context.result_gradients[0], v_gradient = context.result_gradients[1];
  const ir::Dims& dims = v.dims();
  ir::Dims row_dims = dims;
  row_dims[row_dims.size() - 2] = 1;
  const ir::Value diagonal = on_diagonal(b, dims), transposed = matrix_transpose(b, v);
  ir::Value inner = full(b, v.type(), 0);
  if (v_gradient) {
    const ir::Value row = reshape(b, w, row_dims), one = full(b, v.type(), 1);
    const ir::Value differences =
        subtract(b, spread(b, row, dims), spread(b, matrix_transpose(b, row), dims));
    const ir::Value along = matrix_product(b, transposed, v_gradient);
    const ir::Value lengths = sum_along(b, masked(b, diagonal, real(b, along)), 2);
    const ir::Value overlaps = matrix_product(b, transposed, conjugate(b, v));
    const ir::Value across =
        subtract(b, along, multiply(b, overlaps, as_number(b, spread(b, lengths, dims), v.dtype())));
    inner = masked(b, not_(b, diagonal), divide(b, across, select(b, diagonal, one, differences)));
  }
  if (w_gradient)
    inner = add(b, inner, masked(b, diagonal, spread(b, reshape(b, w_gradient, row_dims), dims)));
  const ir::Value gradient = lu_solution(b, transposed, matrix_product(b, inner, transposed));
  return {ir::is_complex(context.op.operand(0).dtype()) ? gradient : real(b, gradient)};
}

}  // namespace custom_call_folder

}  // namespace cornu::inline v0::ops
