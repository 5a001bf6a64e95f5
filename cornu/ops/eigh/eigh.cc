#include "cornu/ops/eigh/eigh.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/jacobi.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace eigh_folder {
namespace {

using ir::Builder;
using ir::Value;

/// The dimensions of the eigenvalues of matrices.
ir::Dims value_dims(const ir::Dims& matrices) { return {matrices.begin(), matrices.end() - 1}; }

/// The same, as matrices of one row.
ir::Dims row_dims(const ir::Dims& matrices) {
  ir::Dims dims = matrices;
  dims[dims.size() - 2] = 1;
  return dims;
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  context.attributes.get<bool>("lower");
  const ir::TensorType& a = context.type(0);
  check_decomposed(a, "a", "I2");
  if (a.dims[a.dims.size() - 2] != a.dims.back())
    invalid_argument("(I3) the matrices of a must be square; got {}", a.str());
  return {{ir::real_dtype(a.dtype), value_dims(a.dims)}, a};
}

/// The Hermitian matrix of a triangle.
Value hermitian(Builder& b, Value a, bool lower) {
  const Value inside = triangle(b, a, lower, 0);
  const Value diagonal = matrix_loops::as_number(b, real(b, a), a.dtype());
  return add(b, add(b, inside, matrix_transpose(b, inside, true)),
             matrix_loops::masked(b, matrix_loops::on_diagonal(b, a.dims()), diagonal));
}

std::vector<Value> decompose(Builder& b, std::span<const Value> operands, const ir::Attributes& attributes) {
  const Value h = hermitian(b, operands[0], attributes.get<bool>("lower"));
  const ir::Dims& dims = h.dims();
  const Value scales = matrix_scales(b, h);
  const JacobiResult rotated = jacobi_eigenvectors(b, divided_by_scales(b, h, scales));
  const Value diagonal =
      matrix_loops::masked(b, matrix_loops::on_diagonal(b, dims), real(b, rotated.matrices));
  const Value keys = matrix_loops::sum_along(b, diagonal, 2);
  const Value values =
      multiply(b, sorted_columns(b, keys, keys, true), matrix_loops::spread(b, scales, row_dims(dims)));
  const Value vectors = sorted_columns(b, keys, rotated.rotations, true);
  return {reshape(b, nan_unless_finite(b, scales, values), value_dims(dims)),
          nan_unless_finite(b, scales, vectors)};
}

std::vector<Value> gradient(const ir::GradientContext& context) {
  Builder& b = context.builder;
  const Value w = context.op.result(0), v = context.op.result(1);
  const Value w_gradient = context.result_gradients[0], v_gradient = context.result_gradients[1];
  const bool lower = context.op.attributes().get<bool>("lower");
  const ir::Dims& dims = v.dims();
  const Value on_diagonal = matrix_loops::on_diagonal(b, dims);
  Value inner = full(b, v.type(), 0);
  if (v_gradient) {
    const Value row = reshape(b, w, row_dims(dims));
    const Value differences = subtract(b, matrix_loops::spread(b, row, dims),
                                       matrix_loops::spread(b, matrix_transpose(b, row), dims));
    const Value one = full(b, differences.type(), 1);
    const Value inverse = matrix_loops::masked(b, not_(b, on_diagonal),
                                               divide(b, one, select(b, on_diagonal, one, differences)));
    inner = multiply(b, matrix_loops::as_number(b, inverse, v.dtype()),
                     matrix_product(b, matrix_transpose(b, v), v_gradient));
  }
  if (w_gradient) {
    const Value row = matrix_loops::spread(b, reshape(b, w_gradient, row_dims(dims)), dims);
    inner = add(b, inner, matrix_loops::as_number(b, matrix_loops::masked(b, on_diagonal, row), v.dtype()));
  }
  // Of all elements of a Hermitian matrix; those outside of the triangle are conjugates of elements in it.
  const Value whole = matrix_product(b, matrix_product(b, conjugate(b, v), inner), matrix_transpose(b, v));
  const Value both = triangle(b, add(b, whole, matrix_transpose(b, whole, true)), lower, 0);
  const Value diagonal = matrix_loops::as_number(b, real(b, whole), v.dtype());
  return {add(b, both, matrix_loops::masked(b, on_diagonal, diagonal))};
}

const ir::OpDef kEigh = {.name = "cornu.eigh", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kEigh>(); }

}  // namespace eigh_folder

EighValues eigh(ir::Builder& builder, ir::Value a, bool lower) {
  const ir::Op& op = builder.create(eigh_folder::kEigh, {a}, {{"lower", lower}});
  return {.eigenvalues = op.result(0), .eigenvectors = op.result(1)};
}

}  // namespace cornu::inline v0::ops
