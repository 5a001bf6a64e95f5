#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Cholesky factors of Hermitian positive definite matrices.
///
/// Semantics: lower: the lower triangular L with L L^H = a, of which the lower triangle is read; else the
///            upper triangular U with U^H U = a, of which the upper triangle is read. The other triangle of
///            the result is 0. NaN in the whole matrix if a is not positive definite.
/// Shapes:    a: [batch..., n, n]  ->  [batch..., n, n]
/// Types:     floats and complex numbers.
/// Errors:    InvalidArgument when (I1) a has another dtype, (C2) a has less than 2 dimensions, (C3) its
///            matrices are not square. (C1 holds by inference.)
/// Gradient:  L^-T P(L^T g) conj(L)^-1, where P takes the lower triangle with half the diagonal.
/// Source:    StableHLO specification, cholesky.
ir::Value cholesky(ir::Builder& b, ir::Value a, bool lower = true);

namespace cholesky_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
