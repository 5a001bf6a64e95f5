#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::convert_folder {
std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "convert",
       .op_class = OpClass::kElementwise,
       .emit = [](const ElementCode& code) { return code.convert(code.operand(0)); },
       .element_kernel =
           [](const ir::Op& op, const elements::KernelSet& kernels) {
             return kernels.convert(op.operand(0).dtype(), op.result().dtype());
           }},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::convert_folder
