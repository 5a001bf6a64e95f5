#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct LuValues {
  ir::Value lu;           // U in and above the diagonal; L below it, whose diagonal is 1
  ir::Value pivots;       // i32: step k exchanged rows k and pivots[k]
  ir::Value permutation;  // i32: row i of L U is row permutation[i] of a
};

/// LU decompositions with partial pivoting, in LAPACK's getrf form.
///
/// Semantics: a[permutation] = L U. The pivot of a column is its element of the largest magnitude, the first
///            of equal ones; of complex numbers |re| + |im|. A column of zeros is left as it is.
/// Shapes:    a: [batch..., m, n]  ->  lu [batch..., m, n], pivots [batch..., min(m, n)],
///            permutation [batch..., m]
/// Types:     floats and complex numbers; pivots and permutation: i32.
/// Errors:    InvalidArgument when (I1) a has another dtype, (I2) a has less than 2 dimensions.
/// Gradient:  P^T L^-T (tril(L^T g, -1) + triu(g U^T)) U^-T, where L and U are filled up to square matrices
///            by the identity.
/// Source:    JAX, lax.linalg.lu; composite cornu.lu.
LuValues lu(ir::Builder& builder, ir::Value a);

namespace lu_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
