#include "cornu/ops/matrix_loops.h"

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
#include "cornu/ops/select/select.h"
#include "cornu/ops/while/while.h"

namespace cornu::inline v0::ops {
namespace matrix_loops {
namespace {

using ir::Builder;
using ir::Value;

/// A matrix's position (i, j), with zeros for the batch dimensions.
std::vector<Value> position(Builder& b, std::int64_t rank, Value i, Value j) {
  std::vector<Value> starts(static_cast<std::size_t>(rank), scalar(b, ir::DType::kI32, 0));
  starts[starts.size() - 2] = i;
  starts.back() = j;
  return starts;
}

/// The part of `rows` x `columns` elements at (i, j).
Value part(Builder& b, Value x, Value i, Value j, std::int64_t rows, std::int64_t columns) {
  ir::Dims sizes = x.dims();
  sizes[sizes.size() - 2] = rows;
  sizes.back() = columns;
  return dynamic_slice(b, x, position(b, x.rank(), i, j), sizes);
}

Value spread(Builder& b, Value x, const ir::Dims& dims) {
  return broadcast_in_dim(b, x, dims, counting(x.rank()));
}

/// The lower triangle's elements in columns after k; zeros elsewhere.
Value after(Builder& b, Value x, Value k) {
  const ir::TensorType positions{ir::DType::kI32, x.dims()};
  const Value is_after = compare(b, iota(b, positions, x.rank() - 1), broadcast_scalar(b, k, x.dims()),
                                 ComparisonDirection::kGt);
  return select(b, is_after, triangle(b, x, true), full(b, x.type(), 0));
}

/// body(step, value) repeated for the steps 0 to n - 1.
template <typename Body>
Value repeated(Builder& b, std::int64_t n, Value start, const Body& body) {
  return while_(
      b, {scalar(b, ir::DType::kI32, 0), start},
      [n](Builder& inner, std::span<const Value> v) {
        return compare(inner, v[0], scalar(inner, ir::DType::kI32, static_cast<double>(n)),
                       ComparisonDirection::kLt);
      },
      [&](Builder& inner, std::span<const Value> v) -> std::vector<Value> {
        return {add(inner, v[0], scalar(inner, ir::DType::kI32, 1)), body(inner, v[0], v[1])};
      })[1];
}

}  // namespace
}  // namespace matrix_loops

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
  const ir::Value x = repeated(builder, n, start, [&](ir::Builder& inner, ir::Value step, ir::Value value) {
    const ir::Value zero = scalar(inner, ir::DType::kI32, 0);
    const ir::Value last = scalar(inner, ir::DType::kI32, static_cast<double>(n - 1));
    const ir::Value i = lower ? step : subtract(inner, last, step);
    ir::Value row = part(inner, value, i, zero, 1, m);
    if (!system.unit_diagonal)
      row = divide(inner, row, spread(inner, part(inner, t, i, i, 1, 1), row.dims()));
    const ir::Value column = part(inner, others, zero, i, n, 1);
    const ir::Value rest = subtract(
        inner, value, multiply(inner, spread(inner, column, value.dims()), spread(inner, row, value.dims())));
    return dynamic_update_slice(inner, rest, row, position(inner, value.rank(), i, zero));
  });
  return system.left_side ? x : matrix_transpose(builder, x);
}

ir::Value cholesky_loop(ir::Builder& builder, ir::Value a, bool lower) {
  using namespace matrix_loops;
  const ir::Value given = triangle(builder, lower ? a : matrix_transpose(builder, a, true), true);
  const std::int64_t n = a.dims().back();
  // Column k of the value becomes the factor's in step k; the products of columns before it are subtracted.
  const ir::Value l = repeated(builder, n, given, [&](ir::Builder& inner, ir::Value k, ir::Value value) {
    const ir::Value zero = scalar(inner, ir::DType::kI32, 0);
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
    return dynamic_update_slice(inner, rest, scaled, position(inner, value.rank(), zero, k));
  });
  return lower ? l : matrix_transpose(builder, l, true);
}

}  // namespace cornu::inline v0::ops
