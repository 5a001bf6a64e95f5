#pragma once

#include <optional>
#include <vector>

#include "cornu/backends/cpu/kernels/matrix_dot.h"
#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

/// An operand in memory, with views removed.
struct DotOperand {
  int buffer = 0;
  ir::Dims strides;  // of the operand's dimensions, in elements
  std::int64_t constant = 0;
};

/// A dot_general as loops: adjacent axes that every tensor traverses with constant strides are merged, axes
/// of extent 1 are dropped.
struct DotShape {
  DotOperand a, b;
  int c_buffer = 0;
  std::vector<DotAxis> batch, rows, columns, contracting;
};
DotShape dot_shape(const Plan& plan, const Group& group);

/// The dot as products of matrices, if the strides allow it.
std::optional<MatrixProduct> matrix_product(const DotShape& dot);

/// Multiplications, each with an addition, of a dot_general.
double multiply_adds(const ir::Op& dot);

/// True if an op is a dot of bf16 for the matrix kernel of that type, if its operands' layout allows one, or
/// has a kernel that multiplies bf16 directly. Loops are slower on bf16 than on f32, so other ops are better
/// widened.
bool has_bf16_kernel(const ir::Op& op, const PlanOptions& options);

/// The product of a dot for a matrix kernel, if it is large enough for one.
std::optional<MatrixProduct> product_for_kernel(const Plan& plan, const Group& dot,
                                                const PlanOptions& options);

}  // namespace cornu::inline v0::backends::cpu
