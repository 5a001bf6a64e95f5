#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct EighValues {
  ir::Value eigenvalues;   // real, in ascending order
  ir::Value eigenvectors;  // column k belongs to eigenvalue k; each has length 1 and any sign or phase
};

/// Eigenvalues and eigenvectors of symmetric and of Hermitian matrices.
///
/// Semantics: a v_k = w_k v_k. Only the lower triangle of a is read, or the upper one unless `lower`; the
///            imaginary parts of the diagonal are ignored. NaN everywhere if a has an element that is not
///            finite.
/// Shapes:    a: [batch..., n, n]  ->  eigenvalues [batch..., n], eigenvectors [batch..., n, n]
/// Types:     floats and complex numbers; the eigenvalues have the dtype of the real part.
/// Errors:    InvalidArgument when (I1) a has another dtype, (I2) a has less than 2 dimensions, (I3) its
///            matrices are not square.
/// Gradient:  conj(V) (F * (V^T g_V) + diag(g_w)) V^T with F_ij = 1 / (w_j - w_i), as a gradient of the
///            triangle that is read. Infinite or NaN where two eigenvalues are equal.
/// Source:    JAX, lax.linalg.eigh; composite cornu.eigh.
EighValues eigh(ir::Builder& builder, ir::Value a, bool lower = true);

namespace eigh_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
