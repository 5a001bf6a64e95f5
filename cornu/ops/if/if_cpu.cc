#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::if_folder {
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "if", .op_kind = OpKind::kControl},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::if_folder
