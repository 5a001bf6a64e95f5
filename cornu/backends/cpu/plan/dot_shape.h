#pragma once

#include <optional>
#include <vector>

#include "cornu/backends/cpu/kernels/matrix_dot.h"
#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

/// An operand's place in memory (behind its views).
struct DotOperand {
  int buffer = 0;
  ir::Dims strides;  // of the operand's dimensions, in elements
  std::int64_t constant = 0;
};

/// A dot_general as loops: neighbouring axes that every tensor walks evenly are one, axes of one element are
/// none.
struct DotShape {
  DotOperand a, b;
  int c_buffer = 0;
  std::vector<DotAxis> batch, rows, columns, contracting;
};
DotShape dot_shape(const Plan& plan, const Group& group);

/// The same as products of matrices, if the strides allow it.
std::optional<MatrixProduct> matrix_product(const DotShape& dot);

}  // namespace cornu::inline v0::backends::cpu
