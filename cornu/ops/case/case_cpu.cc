#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::case_folder {
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "case", .op_kind = OpKind::kControl},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::case_folder
