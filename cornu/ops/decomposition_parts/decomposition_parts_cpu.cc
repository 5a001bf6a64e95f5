#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::decomposition_parts_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {{.name = "cornu.decomposition_parts",
                                     .op_kind = OpKind::kKernel,
                                     .kernel = {.make = make_complex_decomposition_kernel}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::decomposition_parts_folder
