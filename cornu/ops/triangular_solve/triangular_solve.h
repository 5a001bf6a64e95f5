#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

enum class TriangleTranspose { kNone, kTranspose, kAdjoint };

struct TriangularSystem {
  bool left_side = true;
  bool lower = true;
  /// The diagonal is not read: its elements count as 1.
  bool unit_diagonal = false;
  TriangleTranspose transpose = TriangleTranspose::kNone;
};

/// Solutions of linear equations with triangular matrices.
///
/// Semantics: op(a) x = b, or x op(a) = b unless left_side; op(a) is a, its transpose or its conjugate
///            transpose. Only the lower or the upper triangle of a is read.
/// Shapes:    a: [batch..., n, n], b: [batch..., n, m], or [batch..., m, n] unless left_side  ->  b's
/// Types:     floats and complex numbers; a, b and the result share a dtype.
/// Errors:    InvalidArgument when (I1) a has another dtype, (C1) dtypes differ, (C2) the ranks differ or are
///            less than 2, (C3) shapes do not fit. (C4 holds by inference.)
/// Gradient:  b: the solution for the gradient with the transposed matrix; a: its product with the result,
///            negative, in the triangle that is read.
/// Source:    StableHLO specification, triangular_solve.
ir::Value triangular_solve(ir::Builder& builder, ir::Value a, ir::Value b, TriangularSystem options);

TriangularSystem triangular_system(const ir::Op& op);

namespace triangular_solve_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
