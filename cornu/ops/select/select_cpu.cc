#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::select_folder {
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "select",
       .op_kind = OpKind::kElementwise,
       .emit =
           [](const ElementCode& code) {
             return code.select(code.operand(0), code.operand(1), code.operand(2));
           },
       .keeps_numbers = true,
       .kernels_from_code = {.moves_bits = true}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::select_folder
