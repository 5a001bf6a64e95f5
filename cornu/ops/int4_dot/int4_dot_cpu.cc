#include "cornu/backends/cpu/kernels/int4_dot.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::int4_dot_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.int4_dot",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_int4_dot_kernel, .flops = int4_dot_flops}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::int4_dot_folder
