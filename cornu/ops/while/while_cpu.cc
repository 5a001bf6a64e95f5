#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::while_folder {
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "while", .op_kind = OpKind::kControl, .is_loop = true},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::while_folder
