#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct SvdForm {
  /// True: u and vh are square. False: they have min(m, n) columns or rows.
  bool full_matrices = true;
  /// False: only the singular values.
  bool compute_uv = true;
};

struct SvdValues {
  ir::Value u;   // empty unless compute_uv
  ir::Value s;   // real, in descending order
  ir::Value vh;  // empty unless compute_uv
};

/// Singular value decompositions.
///
/// Semantics: a = u diag(s) vh, where the columns of u and the rows of vh are orthonormal. The sign or phase
///            of a pair of vectors is free. NaN everywhere if a has an element that is not finite.
/// Shapes:    a: [batch..., m, n]  ->  s [batch..., k], u [batch..., m, k or m], vh [batch..., k or n, n],
///            with k = min(m, n)
/// Types:     floats and complex numbers; s has the dtype of the real part.
/// Errors:    InvalidArgument when (I1) a has another dtype, (I2) a has less than 2 dimensions.
/// Gradient:  JAX's formula for the first k vectors; Unimplemented for u or vh of full_matrices unless a is
///            square.
/// Source:    JAX, lax.linalg.svd; composite cornu.svd.
SvdValues svd(ir::Builder& builder, ir::Value a, SvdForm form = {});

/// The form of a composite cornu.svd.
SvdForm svd_form(const ir::Op& op);

namespace svd_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
