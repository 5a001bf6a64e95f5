#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ops/triangular_solve/triangular_solve.h"

/// Linear algebra of matrices as loops over rows or columns, for dtypes and devices without kernels.
namespace cornu::inline v0::ops {

/// The result of triangular_solve.
ir::Value triangular_solve_loop(ir::Builder& builder, ir::Value a, ir::Value b,
                                const TriangularSystem& system);

/// The result of cholesky; NaN in and after the column at which a is not positive definite.
ir::Value cholesky_loop(ir::Builder& builder, ir::Value a, bool lower);

/// The results of householder_qr: the packed matrix and the factors taus.
std::vector<ir::Value> householder_qr_loop(ir::Builder& builder, ir::Value a);

/// The result of householder_product.
ir::Value householder_product_loop(ir::Builder& builder, ir::Value a, ir::Value taus);

/// Parts of such loops. Matrices are the last two dimensions of values of one rank; i and j are i32 scalars.
namespace matrix_loops {

/// The part of `rows` x `columns` elements at (i, j), and x with another one there.
ir::Value part(ir::Builder& b, ir::Value x, ir::Value i, ir::Value j, std::int64_t rows,
               std::int64_t columns);
ir::Value with_part(ir::Builder& b, ir::Value x, ir::Value i, ir::Value j, ir::Value part);

/// Repeats extents of 1 up to `dims`.
ir::Value spread(ir::Builder& b, ir::Value x, const ir::Dims& dims);

/// The sums of rows or of columns: extent 1 in dimension `from_end` from the end (1: columns are added up).
ir::Value sum_along(ir::Builder& b, ir::Value x, std::int64_t from_end);

/// i32 positions along dimension `from_end` from the end (2: rows, 1: columns).
ir::Value positions(ir::Builder& b, const ir::Dims& dims, std::int64_t from_end);

/// The i32 scalar `value`.
ir::Value index(ir::Builder& b, std::int64_t value);

/// x where the i1 `mask` is true, else 0.
ir::Value masked(ir::Builder& b, ir::Value mask, ir::Value x);

/// True on the diagonals.
ir::Value on_diagonal(ir::Builder& b, const ir::Dims& dims);

/// Identity matrices, which need not be square.
ir::Value identity(ir::Builder& b, const ir::TensorType& type);

/// A real value as a number of `dtype`.
ir::Value as_number(ir::Builder& b, ir::Value x, ir::DType dtype);

using LoopValues = std::vector<ir::Value>;
using LoopStep = std::function<LoopValues(ir::Builder&, ir::Value step, std::span<const ir::Value>)>;

/// step(i, values) repeated for i from 0 to n - 1.
LoopValues repeated(ir::Builder& b, std::int64_t n, LoopValues start, const LoopStep& step);

}  // namespace matrix_loops

}  // namespace cornu::inline v0::ops
