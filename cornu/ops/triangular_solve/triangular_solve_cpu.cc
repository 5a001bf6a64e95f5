#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::triangular_solve_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "triangular_solve",
       .op_kind = OpKind::kKernel,
       .falls_back = "eager operations of f16 and bf16",
       .upcasts_low_precision = true,
       .kernel = {.make = make_triangular_solve_kernel, .serves = has_matrix_kernel}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::triangular_solve_folder
