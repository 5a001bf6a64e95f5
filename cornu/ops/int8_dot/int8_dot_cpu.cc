#include "cornu/backends/cpu/kernels/int8_dot.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::int8_dot_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.int8_dot",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_int8_dot_kernel, .serves = has_int8_dot_kernel, .flops = int8_dot_flops}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::int8_dot_folder
