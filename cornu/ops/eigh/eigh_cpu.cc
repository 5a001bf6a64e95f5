#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::eigh_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.eigh",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_eigh_kernel, .serves = has_matrix_decomposition}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::eigh_folder
