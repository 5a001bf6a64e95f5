#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::svd_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.svd",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_svd_kernel, .serves = has_matrix_decomposition}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::svd_folder
