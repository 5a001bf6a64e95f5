#include "cornu/ops/cholesky/cholesky.h"

#include <cmath>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/triangular_solve/triangular_solve.h"

namespace cornu::inline v0::ops {
namespace cholesky_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  context.attributes.get<bool>("lower");
  const ir::TensorType& a = context.type(0);
  check_matrices(a, "a", "C2");
  if (a.dims[a.dims.size() - 2] != a.dims.back())
    invalid_argument("(C3) the matrices of a must be square; got {}", a.str());
  return {a};
}

/// Column by column; false if the matrix is not positive definite.
template <typename T>
bool factorize(const Matrix<T>& a, Matrix<T>& l) {
  for (std::int64_t j = 0; j < a.rows(); ++j) {
    double square = std::real(a(j, j));
    for (std::int64_t k = 0; k < j; ++k) square -= std::norm(l(j, k));
    if (!(square > 0)) return false;
    const double root = std::sqrt(square);
    l(j, j) = root;
    for (std::int64_t i = j + 1; i < a.rows(); ++i) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < j; ++k) sum -= l(i, k) * conjugated(l(j, k));
      l(i, j) = sum / root;
    }
  }
  return true;
}

/// The conjugate transpose.
template <typename T>
Matrix<T> adjoint(const Matrix<T>& x) {
  Matrix<T> result(x.columns(), x.rows());
  for (std::int64_t i = 0; i < x.rows(); ++i)
    for (std::int64_t j = 0; j < x.columns(); ++j) result(j, i) = conjugated(x(i, j));
  return result;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const ir::Literal& a = context.operands[0];
  const bool lower = context.op.attributes().get<bool>("lower");
  ir::Literal result(a.type());
  visit_matrix_type(a.type().dtype, [&]<typename T>() {
    for (std::int64_t batch = 0; batch < num_matrices(a.type()); ++batch) {
      const Matrix<T> matrix = read_matrix<T>(a, batch);
      Matrix<T> l(matrix.rows(), matrix.rows());
      if (!factorize(lower ? matrix : adjoint(matrix), l))
        for (std::int64_t i = 0; i < l.rows(); ++i)
          for (std::int64_t j = 0; j < l.rows(); ++j) l(i, j) = std::numeric_limits<double>::quiet_NaN();
      write_matrix(lower ? l : adjoint(l), batch, result);
    }
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g) return {g};
  ir::Builder& b = context.builder;
  const bool lower = context.op.attributes().get<bool>("lower");
  const auto oriented = [&](ir::Value x) { return lower ? x : matrix_transpose(b, x, true); };
  const ir::Value l = oriented(context.op.result());
  const ir::Value inner = triangle(b, matrix_product(b, matrix_transpose(b, l), oriented(g)), true, 0.5);
  const ir::Value left = triangular_solve(
      b, l, inner, {.left_side = true, .lower = true, .transpose = TriangleTranspose::kTranspose});
  return {oriented(triangular_solve(b, conjugate(b, l), left, {.left_side = false, .lower = true}))};
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("lower = {}", op.attributes().get<bool>("lower"));
}

ir::Attributes read_attributes(ir::OpAttributes& text) { return {{"lower", text.boolean({"lower"}, false)}}; }

const ir::OpDef kCholesky = {.name = "cholesky",
                             .infer = infer,
                             .gradient = gradient,
                             .reference = reference,
                             .reference_by_f32 = true,
                             .print_attributes = print_attributes,
                             .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCholesky>(); }

}  // namespace cholesky_folder

ir::Value cholesky(ir::Builder& b, ir::Value a, bool lower) {
  return b.create(cholesky_folder::kCholesky, {a}, {{"lower", lower}}).result();
}

}  // namespace cornu::inline v0::ops
