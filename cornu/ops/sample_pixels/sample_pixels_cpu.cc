#include "cornu/backends/cpu/images/sample_kernel.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::sample_pixels_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.sample_pixels",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_sample_kernel, .serves = has_sample_kernel}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::sample_pixels_folder
