#include "cornu/backends/cpu/images/resize_kernel.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::resize_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.resize",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_resize_kernel, .serves = has_resize_kernel}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::resize_folder
