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
#include "cornu/ops/custom_call/rotations.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/lu/lu.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/triangular_solve/triangular_solve.h"

namespace cornu::inline v0::ops {
namespace custom_call_folder {
namespace {

using Number = std::complex<double>;

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

ir::Value left_eigenvectors(ir::Builder& b, ir::Value eigenvectors) {
  using namespace matrix_loops;
  const ir::Value adjoint = matrix_transpose(b, eigenvectors, true);
  const ir::Value inverse = custom_call_folder::lu_solution(b, adjoint, identity(b, adjoint.type()));
  const ir::Value squares = real(b, multiply(b, inverse, conjugate(b, inverse)));
  const ir::Value lengths = spread(b, sqrt(b, sum_along(b, squares, 2)), inverse.dims());
  return divide(b, inverse, as_number(b, lengths, inverse.dtype()));
}

ir::Value with_real_largest(ir::Builder& b, ir::Value v) {
  using namespace matrix_loops;
  if (v.type().num_elements() == 0) return v;
  const auto rows = static_cast<std::int64_t>(v.dims().size()) - 2;
  ir::Dims row_dims = v.dims();
  row_dims[static_cast<std::size_t>(rows)] = 1;
  const auto along_rows = [&](const auto& reduction, ir::Value x) {
    return spread(b, reshape(b, reduction(b, x, ir::Dims{rows}), row_dims), v.dims());
  };
  const ir::Value sizes = abs(b, v), positions_of_rows = positions(b, v.dims(), 2);
  const ir::Value is_largest = compare(b, sizes, along_rows(reduce_max, sizes), ComparisonDirection::kGe);
  const ir::Value beyond = full(b, positions_of_rows.type(), static_cast<double>(v.dims().back()));
  const ir::Value candidates = select(b, is_largest, positions_of_rows, beyond);
  const ir::Value is_first =
      compare(b, candidates, along_rows(reduce_min, candidates), ComparisonDirection::kEq);
  const ir::Value largest = along_rows(reduce_sum, masked(b, is_first, v));
  return multiply(b, v, divide(b, conjugate(b, largest), as_number(b, abs(b, largest), v.dtype())));
}

}  // namespace cornu::inline v0::ops
