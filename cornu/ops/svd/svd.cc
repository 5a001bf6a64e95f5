#include "cornu/ops/svd/svd.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/custom_call/custom_call.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/jacobi.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/svd/svd_gradient.h"

namespace cornu::inline v0::ops {
namespace svd_folder {
namespace {

using ir::Builder;
using ir::Value;

SvdForm read_form(const ir::Attributes& attributes) {
  return {.full_matrices = attributes.get<bool>("full_matrices"),
          .compute_uv = attributes.get<bool>("compute_uv")};
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const SvdForm form = read_form(context.attributes);
  const ir::TensorType& a = context.type(0);
  check_decomposed(a, "a", "I2");
  const std::size_t rank = a.dims.size();
  const std::int64_t m = a.dims[rank - 2], n = a.dims[rank - 1], k = std::min(m, n);
  ir::Dims s(a.dims.begin(), a.dims.end() - 1);
  s.back() = k;
  std::vector<ir::TensorType> types = {{ir::real_dtype(a.dtype), s}};
  if (!form.compute_uv) return types;
  ir::TensorType u = a, vh = a;
  u.dims[rank - 1] = form.full_matrices ? m : k;
  vh.dims[rank - 2] = form.full_matrices ? n : k;
  types.push_back(std::move(u));
  types.push_back(std::move(vh));
  return types;
}

/// x with `count` columns, those after its own zeros.
Value widened(Builder& b, Value x, std::int64_t count) {
  ir::Dims none(x.dims().size(), 0), high = none;
  high.back() = count - x.dims().back();
  return high.back() == 0 ? x : pad(b, x, full(b, {x.dtype(), {}}, 0), none, high, none);
}

/// The lengths of columns, as a row.
Value column_lengths(Builder& b, Value x) {
  return sqrt(b, matrix_loops::sum_along(b, real(b, multiply(b, x, conjugate(b, x))), 2));
}

/// Orthonormal vectors in the directions of the columns of x, which are orthogonal, completed to `count`: Q of
/// the QR decomposition. R is diagonal then, with lengths times phases.
Value directions(Builder& b, Value x, std::int64_t count) {
  const std::vector<Value> qr = householder_qr(b, x);
  const Value q = householder_product(b, widened(b, qr[0], count), qr[1]);
  const Value diagonal =
      matrix_loops::sum_along(b, matrix_loops::masked(b, matrix_loops::on_diagonal(b, x.dims()), qr[0]), 2);
  const Value size = abs(b, diagonal), one = full(b, size.type(), 1);
  const Value is_zero = compare(b, size, full(b, size.type(), 0), ComparisonDirection::kEq);
  const Value phase =
      select(b, is_zero, matrix_loops::as_number(b, one, x.dtype()),
             divide(b, diagonal, matrix_loops::as_number(b, select(b, is_zero, one, size), x.dtype())));
  // Columns after those of x keep their directions.
  const Value wide = widened(b, phase, count);
  const Value columns = matrix_loops::positions(b, wide.dims(), 1);
  const Value is_own = compare(b, columns, full(b, columns.type(), static_cast<double>(x.dims().back())),
                               ComparisonDirection::kLt);
  const Value factors = select(b, is_own, wide, full(b, wide.type(), 1));
  return multiply(b, q, matrix_loops::spread(b, factors, q.dims()));
}

/// Matrices with at least as many rows as columns.
std::vector<Value> decompose_tall(Builder& b, Value a, const SvdForm& form) {
  ir::Dims dims = a.dims();
  const std::int64_t m = dims[dims.size() - 2], n = dims.back();
  const Value scales = matrix_scales(b, a);
  const JacobiResult rotated = jacobi_columns(b, divided_by_scales(b, a, scales));
  const Value keys = column_lengths(b, rotated.matrices);
  const Value lengths = sorted_columns(b, keys, keys, false);
  const Value s = multiply(b, lengths, matrix_loops::spread(b, scales, lengths.dims()));
  dims.pop_back();
  dims.back() = n;
  std::vector<Value> results = {reshape(b, nan_unless_finite(b, scales, s), dims)};
  if (!form.compute_uv) return results;
  const Value u = directions(b, sorted_columns(b, keys, rotated.matrices, false), form.full_matrices ? m : n);
  const Value v = sorted_columns(b, keys, rotated.rotations, false);
  results.push_back(nan_unless_finite(b, scales, u));
  results.push_back(nan_unless_finite(b, scales, matrix_transpose(b, v, true)));
  return results;
}

/// The decomposition of matrices without elements.
std::vector<Value> decompose_empty(Builder& b, Value a, const SvdForm& form) {
  const ir::Attributes attributes{{"full_matrices", form.full_matrices}, {"compute_uv", form.compute_uv}};
  const std::vector<ir::TensorType> types = infer({{&a, 1}, attributes, {}});
  std::vector<Value> results = {full(b, types[0], 0)};
  for (std::size_t i = 1; i < types.size(); ++i) results.push_back(matrix_loops::identity(b, types[i]));
  return results;
}

std::vector<Value> decompose(Builder& b, std::span<const Value> operands, const ir::Attributes& attributes) {
  const Value a = operands[0];
  const SvdForm form = read_form(attributes);
  const ir::Dims& dims = a.dims();
  if (a.type().num_elements() == 0) return decompose_empty(b, a, form);
  if (dims[dims.size() - 2] >= dims.back()) return decompose_tall(b, a, form);
  std::vector<Value> results = decompose_tall(b, matrix_transpose(b, a, true), form);
  if (!form.compute_uv) return results;
  return {results[0], matrix_transpose(b, results[2], true), matrix_transpose(b, results[1], true)};
}

std::vector<Value> gradient(const ir::GradientContext& context) {
  const ir::Op& op = context.op;
  const SvdForm form = svd_form(op);
  const ir::Dims& dims = op.operand(0).dims();
  SvdGradients g{.s = context.result_gradients[0]};
  if (form.compute_uv) {
    g.u = context.result_gradients[1];
    g.vh = context.result_gradients[2];
  }
  const bool is_square = dims[dims.size() - 2] == dims.back();
  if (form.full_matrices && !is_square && (g.u || g.vh))
    fail(ErrorCode::kUnimplemented, {.layer = op.location()},
         "[cornu.svd] the vectors of full_matrices have no gradient unless a is square; got {}: use "
         "full_matrices = false",
         op.operand(0).type().str());
  if (form.compute_uv && (!form.full_matrices || is_square))
    return {svd_gradient(context.builder, op.operand(0), {op.result(1), op.result(0), op.result(2)}, g)};
  const SvdValues thin = svd(context.builder, op.operand(0), {.full_matrices = false});
  return {svd_gradient(context.builder, op.operand(0), thin, g)};
}

const ir::OpDef kSvd = {.name = "cornu.svd", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSvd>(); }

}  // namespace svd_folder

SvdForm svd_form(const ir::Op& op) { return svd_folder::read_form(op.attributes()); }

SvdValues svd(ir::Builder& builder, ir::Value a, SvdForm form) {
  const ir::Op& op = builder.create(svd_folder::kSvd, {a},
                                    {{"full_matrices", form.full_matrices}, {"compute_uv", form.compute_uv}});
  SvdValues values{.u = {}, .s = op.result(0), .vh = {}};
  if (form.compute_uv) {
    values.u = op.result(1);
    values.vh = op.result(2);
  }
  return values;
}

}  // namespace cornu::inline v0::ops
