#pragma once

#include "cornu/ir/builder.h"

/// Jacobi's method on batches of matrices, the definition of eigh and svd: slow, simple and accurate.
namespace cornu::inline v0::ops {

struct JacobiResult {
  ir::Value matrices;  // see below
  ir::Value rotations;
};

/// Rotates Hermitian matrices h until they are diagonal: matrices = rotations^H h rotations.
JacobiResult jacobi_eigenvectors(ir::Builder& builder, ir::Value h);

/// Rotates the columns of x until they are orthogonal: matrices = x rotations.
JacobiResult jacobi_columns(ir::Builder& builder, ir::Value x);

/// Columns of x in the order of their keys, which are real and of extent 1 in the dimension before the last.
ir::Value sorted_columns(ir::Builder& builder, ir::Value keys, ir::Value x, bool ascending);

/// The largest magnitudes of matrices, of extents 1 and 1; 1 for matrices of zeros.
ir::Value matrix_scales(ir::Builder& builder, ir::Value x);

/// x divided or multiplied by real scales of extents 1 and 1.
ir::Value divided_by_scales(ir::Builder& builder, ir::Value x, ir::Value scales);

/// x, with NaN in matrices whose scales are not finite.
ir::Value nan_unless_finite(ir::Builder& builder, ir::Value scales, ir::Value x);

}  // namespace cornu::inline v0::ops
