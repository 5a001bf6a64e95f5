#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::clamp_folder {
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "clamp",
       .op_kind = OpKind::kElementwise,
       .emit =
           [](const ElementCode& code) {
             return code.minimum(code.maximum(code.operand(1), code.operand(0)), code.operand(2));
           },
       .keeps_numbers = true},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::clamp_folder
