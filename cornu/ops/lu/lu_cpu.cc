#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::lu_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {{.name = "cornu.lu",
                                     .op_kind = OpKind::kKernel,
                                     .kernel = {.make = make_lu_kernel, .serves = has_matrix_decomposition}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::lu_folder
