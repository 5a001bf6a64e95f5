#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::triangular_solve_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "triangular_solve", .falls_back = "always", .upcasts_low_precision = true}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::triangular_solve_folder
