#pragma once

#include "cornu/ops/triangular_solve/triangular_solve.h"

/// Linear algebra of matrices as loops over rows or columns, for dtypes and devices without kernels.
namespace cornu::inline v0::ops {

/// The result of triangular_solve.
ir::Value triangular_solve_loop(ir::Builder& builder, ir::Value a, ir::Value b,
                                const TriangularSystem& system);

/// The result of cholesky; NaN in and after the column at which a is not positive definite.
ir::Value cholesky_loop(ir::Builder& builder, ir::Value a, bool lower);

}  // namespace cornu::inline v0::ops
