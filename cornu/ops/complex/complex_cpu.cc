#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::complex_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr std::string_view kNever = "never: the engine splits complex numbers into their parts";
  static constexpr CpuOp kRows[] = {{.name = "real", .falls_back = kNever},
                                    {.name = "imag", .falls_back = kNever},
                                    {.name = "complex", .falls_back = kNever}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::complex_folder
