#pragma once

#include "cornu/ops/dot_general/dot_general.h"

namespace cornu::inline v0::ops {

struct RaggedDotDimensions {
  DotDimensions dot = {};
  std::int64_t lhs_ragged = 0;
  /// The dimension of rhs that numbers the groups, if lhs_ragged is a free dimension; else none.
  ir::Dims rhs_group = {};
};

/// Products of matrices in groups: each group of rows (or of columns) of lhs has a matrix of its own.
///
/// Semantics: the ragged dimension of lhs consists of groups, one after the other, of group_sizes[..., g]
///            elements. A free dimension: the elements of group g are multiplied by rhs at g of rhs_group, those
///            after the last group give 0. A contracting dimension: the result has g as its first dimension,
///            and sums over group g only. A batching dimension: dot_general.
/// Shapes:    group_sizes: [g], or with the batching extents of lhs and those free (or contracting) ones before
///            the ragged one.
/// Types:     those of dot_general; group_sizes: integers.
/// Errors:    InvalidArgument when dimensions or group_sizes do not fit, and those of dot_general.
/// Gradient:  that of its ops.
/// Source:    CHLO, ragged_dot; jax.lax.ragged_dot_general.
ir::Value ragged_dot(ir::Builder& builder, ir::Value lhs, ir::Value rhs, ir::Value group_sizes,
                     const RaggedDotDimensions& dimensions);

}  // namespace cornu::inline v0::ops
