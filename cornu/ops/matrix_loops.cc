#include "cornu/ops/matrix_loops.h"

#include <algorithm>
#include <utility>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/while/while.h"

namespace cornu::inline v0::ops {
namespace matrix_loops {
namespace {

using ir::Builder;
using ir::Value;

/// A matrix's position (i, j), with zeros for the batch dimensions.
std::vector<Value> position(Builder& b, std::int64_t rank, Value i, Value j) {
  std::vector<Value> starts(static_cast<std::size_t>(rank), index(b, 0));
  starts[starts.size() - 2] = i;
  starts.back() = j;
  return starts;
}

/// The lower triangle's elements in columns after k; zeros elsewhere.
Value after(Builder& b, Value x, Value k) {
  const Value is_after =
      compare(b, positions(b, x.dims(), 1), broadcast_scalar(b, k, x.dims()), ComparisonDirection::kGt);
  return masked(b, is_after, triangle(b, x, true));
}

}  // namespace

Value part(Builder& b, Value x, Value i, Value j, std::int64_t rows, std::int64_t columns) {
  ir::Dims sizes = x.dims();
  sizes[sizes.size() - 2] = rows;
  sizes.back() = columns;
  return dynamic_slice(b, x, position(b, x.rank(), i, j), sizes);
}

Value with_part(Builder& b, Value x, Value i, Value j, Value part) {
  return dynamic_update_slice(b, x, part, position(b, x.rank(), i, j));
}

Value spread(Builder& b, Value x, const ir::Dims& dims) {
  return broadcast_in_dim(b, x, dims, counting(x.rank()));
}

Value sum_along(Builder& b, Value x, std::int64_t from_end) {
  ir::Dims dims = x.dims();
  dims[dims.size() - static_cast<std::size_t>(from_end)] = 1;
  return reshape(b, reduce_sum(b, x, {x.rank() - from_end}), dims);
}

Value positions(Builder& b, const ir::Dims& dims, std::int64_t from_end) {
  return iota(b, {ir::DType::kI32, dims}, static_cast<std::int64_t>(dims.size()) - from_end);
}

Value index(Builder& b, std::int64_t value) { return scalar(b, ir::DType::kI32, static_cast<double>(value)); }

Value masked(Builder& b, Value mask, Value x) { return select(b, mask, x, full(b, x.type(), 0)); }

Value on_diagonal(Builder& b, const ir::Dims& dims) {
  return compare(b, positions(b, dims, 2), positions(b, dims, 1), ComparisonDirection::kEq);
}

Value identity(Builder& b, const ir::TensorType& type) {
  return masked(b, on_diagonal(b, type.dims), full(b, type, 1));
}

Value as_number(Builder& b, Value x, ir::DType dtype) {
  return ir::is_complex(dtype) ? complex(b, x, full(b, x.type(), 0)) : x;
}

LoopValues repeated(Builder& b, std::int64_t n, LoopValues start, const LoopStep& step) {
  if (n == 0) return start;  // a step cannot be built: empty matrices have no rows
  start.insert(start.begin(), index(b, 0));
  LoopValues results = while_(
      b, std::move(start),
      [n](Builder& inner, std::span<const Value> v) {
        return compare(inner, v[0], index(inner, n), ComparisonDirection::kLt);
      },
      [&](Builder& inner, std::span<const Value> v) {
        LoopValues next = step(inner, v[0], v.subspan(1));
        next.insert(next.begin(), add(inner, v[0], index(inner, 1)));
        return next;
      });
  results.erase(results.begin());
  return results;
}

namespace {

/// One step of householder_qr_loop: the reflector that clears column k below the diagonal.
LoopValues reflect(Builder& b, Value k, std::span<const Value> state) {
  const Value a = state[0], taus = state[1], zero = index(b, 0);
  const ir::DType dtype = a.dtype();
  const std::int64_t m = a.dims()[a.dims().size() - 2];
  const Value column = part(b, a, zero, k, m, 1), alpha = part(b, a, k, k, 1, 1);
  const ir::Dims column_dims = column.dims();
  const Value rows = positions(b, column_dims, 2), row_k = broadcast_scalar(b, k, column_dims);
  const Value below = masked(b, compare(b, rows, row_k, ComparisonDirection::kGt), column);
  const Value square = sum_along(b, real(b, multiply(b, below, conjugate(b, below))), 2);
  const Value re = real(b, alpha), im = imag(b, alpha), none = full(b, re.type(), 0);
  const Value needed = or_(b, compare(b, square, none, ComparisonDirection::kGt),
                           compare(b, im, none, ComparisonDirection::kNe));
  const Value norm = sqrt(b, add(b, square, add(b, multiply(b, re, re), multiply(b, im, im))));
  const Value beta =
      as_number(b, select(b, compare(b, re, none, ComparisonDirection::kGe), negate(b, norm), norm), dtype);
  const Value one = full(b, alpha.type(), 1);
  const Value tau = masked(b, needed, divide(b, subtract(b, beta, alpha), select(b, needed, beta, one)));
  const Value scale = select(b, needed, subtract(b, alpha, beta), one);
  const Value is_k = compare(b, rows, row_k, ComparisonDirection::kEq);
  const Value v = select(b, is_k, full(b, column.type(), 1), divide(b, below, spread(b, scale, column_dims)));
  const Value w = matrix_product(b, matrix_transpose(b, v, true), a);
  const Value scaled = multiply(b, spread(b, conjugate(b, tau), w.dims()), w);
  const Value rest = subtract(b, a, matrix_product(b, v, scaled));
  const Value is_after =
      compare(b, positions(b, a.dims(), 1), broadcast_scalar(b, k, a.dims()), ComparisonDirection::kGt);
  const Value diagonal = spread(b, select(b, needed, beta, alpha), column_dims);
  const Value packed =
      select(b, compare(b, rows, row_k, ComparisonDirection::kLt), column, select(b, is_k, diagonal, v));
  return {with_part(b, select(b, is_after, rest, a), zero, k, packed), with_part(b, taus, k, zero, tau)};
}

}  // namespace
}  // namespace matrix_loops

std::vector<ir::Value> householder_qr_loop(ir::Builder& builder, ir::Value a) {
  ir::Dims dims = a.dims();
  const std::int64_t rank = std::min(dims[dims.size() - 2], dims.back());
  dims[dims.size() - 2] = rank;
  dims.back() = 1;
  const ir::Value taus = full(builder, {a.dtype(), dims}, 0);
  dims.pop_back();
  if (rank == 0) return {a, reshape(builder, taus, dims)};
  const auto results = matrix_loops::repeated(builder, rank, {a, taus}, matrix_loops::reflect);
  return {results[0], reshape(builder, results[1], dims)};
}

ir::Value householder_product_loop(ir::Builder& builder, ir::Value a, ir::Value taus) {
  using namespace matrix_loops;
  const ir::Value start = identity(builder, a.type());
  const std::int64_t count = taus.dims().back(), m = a.dims()[a.dims().size() - 2];
  if (count == 0) return start;
  ir::Dims dims = taus.dims();
  dims.push_back(1);
  const ir::Value factors = reshape(builder, taus, dims);
  return repeated(
      builder, count, {start},
      [&](ir::Builder& b, ir::Value step, std::span<const ir::Value> q) -> LoopValues {
        const ir::Value zero = index(b, 0), k = subtract(b, index(b, count - 1), step);
        const ir::Value column = part(b, a, zero, k, m, 1);
        const ir::Value rows = positions(b, column.dims(), 2), row_k = broadcast_scalar(b, k, column.dims());
        const ir::Value below = masked(b, compare(b, rows, row_k, ComparisonDirection::kGt), column);
        const ir::Value v =
            select(b, compare(b, rows, row_k, ComparisonDirection::kEq), full(b, column.type(), 1), below);
        const ir::Value w = matrix_product(b, matrix_transpose(b, v, true), q[0]);
        const ir::Value tau = spread(b, part(b, factors, k, zero, 1, 1), w.dims());
        return {subtract(b, q[0], matrix_product(b, v, multiply(b, tau, w)))};
      })[0];
}

ir::Value triangular_solve_loop(ir::Builder& builder, ir::Value a, ir::Value b,
                                const TriangularSystem& system) {
  using namespace matrix_loops;
  const bool is_adjoint = system.transpose == TriangleTranspose::kAdjoint;
  // x op(a) = b is op(a)^T x^T = b^T.
  const bool is_transposed = (system.transpose != TriangleTranspose::kNone) == system.left_side;
  ir::Value t = is_adjoint ? conjugate(builder, a) : a;
  if (is_transposed) t = matrix_transpose(builder, t);
  const bool lower = system.lower != is_transposed;
  const ir::Value others = triangle(builder, t, lower, 0);
  const ir::Value start = system.left_side ? b : matrix_transpose(builder, b);
  const std::int64_t n = a.dims().back(), m = start.dims().back();
  const LoopStep eliminate = [&](ir::Builder& inner, ir::Value step,
                                 std::span<const ir::Value> state) -> LoopValues {
    const ir::Value value = state[0], zero = index(inner, 0);
    const ir::Value last = index(inner, n - 1);
    const ir::Value i = lower ? step : subtract(inner, last, step);
    ir::Value row = part(inner, value, i, zero, 1, m);
    if (!system.unit_diagonal)
      row = divide(inner, row, spread(inner, part(inner, t, i, i, 1, 1), row.dims()));
    const ir::Value column = part(inner, others, zero, i, n, 1);
    const ir::Value rest = subtract(
        inner, value, multiply(inner, spread(inner, column, value.dims()), spread(inner, row, value.dims())));
    return {with_part(inner, rest, i, zero, row)};
  };
  const ir::Value x = repeated(builder, n, {start}, eliminate)[0];
  return system.left_side ? x : matrix_transpose(builder, x);
}

ir::Value cholesky_loop(ir::Builder& builder, ir::Value a, bool lower) {
  using namespace matrix_loops;
  const ir::Value given = triangle(builder, lower ? a : matrix_transpose(builder, a, true), true);
  const std::int64_t n = a.dims().back();
  // Column k of the value becomes the factor's in step k; the products of columns before it are subtracted.
  const LoopStep factorize = [&](ir::Builder& inner, ir::Value k,
                                 std::span<const ir::Value> state) -> LoopValues {
    const ir::Value value = state[0], zero = index(inner, 0);
    const ir::Value column = part(inner, value, zero, k, n, 1);
    const ir::Value root = sqrt(inner, real(inner, part(inner, value, k, k, 1, 1)));
    const ir::Value wide_root = spread(inner, root, column.dims());
    const ir::Value scaled = ir::is_complex(a.dtype())
                                 ? complex(inner, divide(inner, real(inner, column), wide_root),
                                           divide(inner, imag(inner, column), wide_root))
                                 : divide(inner, column, wide_root);
    // Only columns after k change: their elements of this column, conjugate, are on their diagonals or above.
    const ir::Value product = multiply(inner, spread(inner, scaled, value.dims()),
                                       spread(inner, matrix_transpose(inner, scaled, true), value.dims()));
    const ir::Value rest = subtract(inner, value, after(inner, product, k));
    return {with_part(inner, rest, zero, k, scaled)};
  };
  const ir::Value l = repeated(builder, n, {given}, factorize)[0];
  return lower ? l : matrix_transpose(builder, l, true);
}

}  // namespace cornu::inline v0::ops
