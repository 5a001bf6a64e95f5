#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/sort/sort.h"

namespace cornu::inline v0::backends::cpu::top_k_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "chlo.top_k",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_top_k_kernel, .serves = has_top_k_kernel}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::top_k_folder
