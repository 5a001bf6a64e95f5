#pragma once

#include <optional>
#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

/// One loop of a dot with its strides in the three tensors, in elements.
struct DotAxis {
  std::int64_t extent = 1, a = 0, b = 0, c = 0;
};

/// An operand's place in memory (behind its views).
struct DotOperand {
  int buffer = 0;
  ir::Dims strides;  // of the operand's dimensions, in elements
  std::int64_t constant = 0;
};

/// A dot_general as loops: neighbouring axes that every tensor walks evenly are one, axes of one element are none.
struct DotShape {
  DotOperand a, b;
  int c_buffer = 0;
  std::vector<DotAxis> batch, rows, columns, contracting;
};
DotShape dot_shape(const Plan& plan, const Group& group);

/// The same as products c[m, n] = op(a) op(b) of matrices, with c row-major: one, or one for each element of `batch`.
struct MatrixProduct {
  bool transpose_a = false, transpose_b = false;
  std::int64_t m = 1, n = 1, k = 1, lda = 1, ldb = 1, ldc = 1;
  std::vector<DotAxis> batch;
  int a_buffer = 0, b_buffer = 0, c_buffer = 0;
  std::int64_t a_offset = 0, b_offset = 0;

  std::int64_t num_matrices() const;
  double flops() const;  // of all
};
std::optional<MatrixProduct> matrix_product(const DotShape& dot);

}  // namespace cornu::inline v0::backends::cpu
