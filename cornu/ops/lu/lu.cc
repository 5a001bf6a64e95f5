#include "cornu/ops/lu/lu.h"

#include <algorithm>

#include "cornu/ir/op_def.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/triangular_solve/triangular_solve.h"

namespace cornu::inline v0::ops {
namespace lu_folder {
namespace {

using ir::Builder;
using ir::Value;
using matrix_loops::spread;

struct Extents {
  explicit Extents(const ir::Dims& dims)
      : rows(dims[dims.size() - 2]), columns(dims.back()), rank(std::min(rows, columns)) {}
  std::int64_t rows, columns, rank;
};

/// The batch dimensions of matrices, then `last`.
ir::Dims vector_dims(const ir::Dims& matrices, std::int64_t last) {
  ir::Dims dims(matrices.begin(), matrices.end() - 1);
  dims.back() = last;
  return dims;
}

/// The same for a matrix of one column.
ir::Dims column_dims(const ir::Dims& matrices, std::int64_t rows) {
  ir::Dims dims = vector_dims(matrices, rows);
  dims.push_back(1);
  return dims;
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::TensorType& a = context.type(0);
  check_decomposed(a, "a", "I2");
  const Extents extents(a.dims);
  return {a,
          {ir::DType::kI32, vector_dims(a.dims, extents.rank)},
          {ir::DType::kI32, vector_dims(a.dims, extents.rows)}};
}

/// The magnitude by which pivots are compared.
Value magnitude(Builder& b, Value x) {
  return ir::is_complex(x.dtype()) ? add(b, abs(b, real(b, x)), abs(b, imag(b, x))) : abs(b, x);
}

/// x with row k and the row at which `is_pivot`, of one column, is true exchanged.
Value with_exchanged_rows(Builder& b, Value x, Value k, Value is_pivot) {
  const Value rows = matrix_loops::positions(b, x.dims(), 2);
  const Value is_k = compare(b, rows, broadcast_scalar(b, k, x.dims()), ComparisonDirection::kEq);
  const Value wide_pivot = spread(b, is_pivot, x.dims());
  const Value row_k = matrix_loops::part(b, x, k, matrix_loops::index(b, 0), 1, x.dims().back());
  const Value pivot_row = matrix_loops::sum_along(b, matrix_loops::masked(b, wide_pivot, x), 2);
  return select(b, wide_pivot, spread(b, row_k, x.dims()),
                select(b, is_k, spread(b, pivot_row, x.dims()), x));
}

/// Column k of the factors, and the rows and columns after it.
matrix_loops::LoopValues eliminate(Builder& b, Value k, std::span<const Value> state) {
  const Value zero = matrix_loops::index(b, 0);
  const ir::Dims& dims = state[0].dims();
  const Extents extents(dims);
  const auto after = [&](const ir::Dims& of, std::int64_t from_end) {
    return compare(b, matrix_loops::positions(b, of, from_end), broadcast_scalar(b, k, of),
                   ComparisonDirection::kGt);
  };
  const Value given = matrix_loops::part(b, state[0], zero, k, extents.rows, 1);
  const Value rows = matrix_loops::positions(b, given.dims(), 2);
  const Value size = magnitude(b, given);
  const Value candidates =
      select(b, compare(b, rows, broadcast_scalar(b, k, rows.dims()), ComparisonDirection::kGe), size,
             full(b, size.type(), -1));
  const Value pivot = reshape(b, argmax(b, candidates, given.rank() - 2), column_dims(dims, 1));
  const Value is_pivot = compare(b, rows, spread(b, pivot, rows.dims()), ComparisonDirection::kEq);
  Value a = with_exchanged_rows(b, state[0], k, is_pivot);

  const Value diagonal = spread(b, matrix_loops::part(b, a, k, k, 1, 1), given.dims());
  const Value column = matrix_loops::part(b, a, zero, k, extents.rows, 1);
  const Value divides = and_(b, after(given.dims(), 2),
                             compare(b, diagonal, full(b, diagonal.type(), 0), ComparisonDirection::kNe));
  const Value factors = select(b, divides, divide(b, column, diagonal), column);
  a = matrix_loops::with_part(b, a, zero, k, factors);
  const Value row = matrix_loops::part(b, a, k, zero, 1, extents.columns);
  const Value product = multiply(b, spread(b, factors, dims), spread(b, row, dims));
  a = select(b, and_(b, after(dims, 2), after(dims, 1)), subtract(b, a, product), a);
  return {a, matrix_loops::with_part(b, state[1], k, zero, pivot),
          with_exchanged_rows(b, state[2], k, is_pivot)};
}

std::vector<Value> decompose(Builder& b, std::span<const Value> operands, const ir::Attributes&) {
  const Value a = operands[0];
  const Extents extents(a.dims());
  const ir::TensorType pivots{ir::DType::kI32, column_dims(a.dims(), extents.rank)};
  const Value rows = matrix_loops::positions(b, column_dims(a.dims(), extents.rows), 2);
  matrix_loops::LoopValues results = {a, full(b, pivots, 0), rows};
  if (extents.rank > 0) results = matrix_loops::repeated(b, extents.rank, results, eliminate);
  return {results[0], reshape(b, results[1], vector_dims(a.dims(), extents.rank)),
          reshape(b, results[2], vector_dims(a.dims(), extents.rows))};
}

/// The first `rows` x `columns` elements of x, which may be larger, followed by zeros.
Value resized(Builder& b, Value x, std::int64_t rows, std::int64_t columns) {
  const Extents old(x.dims());
  ir::Dims starts(x.dims().size(), 0), limits = x.dims(), low = starts, high = starts;
  limits[limits.size() - 2] = std::min(old.rows, rows);
  limits.back() = std::min(old.columns, columns);
  high[high.size() - 2] = std::max<std::int64_t>(rows - old.rows, 0);
  high.back() = std::max<std::int64_t>(columns - old.columns, 0);
  const Value part = slice(b, x, starts, limits, ir::Dims(starts.size(), 1));
  return pad(b, part, full(b, {x.dtype(), {}}, 0), low, high, starts);
}

/// The identity from row and column `first` on, zeros before it.
Value identity_from(Builder& b, const ir::TensorType& type, std::int64_t first) {
  const Value rows = matrix_loops::positions(b, type.dims, 2);
  const Value is_after =
      compare(b, rows, full(b, rows.type(), static_cast<double>(first)), ComparisonDirection::kGe);
  return matrix_loops::masked(b, is_after, matrix_loops::identity(b, type));
}

std::vector<Value> gradient(const ir::GradientContext& context) {
  const Value g = context.result_gradients[0];
  if (!g) return {g};
  Builder& b = context.builder;
  const Value packed = context.op.result(0), permutation = context.op.result(2);
  const ir::DType dtype = packed.dtype();
  const Extents extents(packed.dims());
  ir::Dims l_dims = packed.dims(), u_dims = l_dims;
  l_dims.back() = extents.rows;
  u_dims[u_dims.size() - 2] = extents.columns;
  const Value l = add(b, triangle(b, resized(b, packed, extents.rows, extents.rows), true, 0),
                      matrix_loops::identity(b, {dtype, l_dims}));
  const Value u = add(b, triangle(b, resized(b, packed, extents.columns, extents.columns), false),
                      identity_from(b, {dtype, u_dims}, extents.rank));
  const Value inner = add(b, triangle(b, matrix_product(b, matrix_transpose(b, l), g), true, 0),
                          triangle(b, matrix_product(b, g, matrix_transpose(b, u)), false));
  const Value left = triangular_solve(
      b, l, inner,
      {.left_side = true, .lower = true, .unit_diagonal = true, .transpose = TriangleTranspose::kTranspose});
  const Value both = triangular_solve(
      b, u, left, {.left_side = false, .lower = false, .transpose = TriangleTranspose::kTranspose});
  // Row i of this is the gradient of row permutation[i].
  const Value sources = spread(b, reshape(b, permutation, column_dims(l_dims, extents.rows)), l_dims);
  const Value exchanges =
      compare(b, sources, matrix_loops::positions(b, l_dims, 1), ComparisonDirection::kEq);
  const Value matrix = matrix_loops::masked(b, exchanges, full(b, {dtype, l_dims}, 1));
  return {matrix_product(b, matrix_transpose(b, matrix), both)};
}

const ir::OpDef kLu = {.name = "cornu.lu", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kLu>(); }

}  // namespace lu_folder

LuValues lu(ir::Builder& builder, ir::Value a) {
  const ir::Op& op = builder.create(lu_folder::kLu, {a});
  return {.lu = op.result(0), .pivots = op.result(1), .permutation = op.result(2)};
}

}  // namespace cornu::inline v0::ops
