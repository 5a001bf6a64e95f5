#include "cornu/backends/cpu/fft/fft.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::fft_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "fft", .falls_back = "never: the engine splits complex numbers into their parts"},
      {.name = "cornu.fft_parts",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_fft_kernel, .flops = fft_flops}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::fft_folder
