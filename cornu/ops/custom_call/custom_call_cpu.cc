#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::custom_call_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "custom_call",
       .op_kind = OpKind::kKernel,
       .falls_back = "eager operations of f16 and bf16",
       .kernel = {.make = make_custom_call_kernel, .serves = has_eigen_kernel}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::custom_call_folder
