#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::compare_folder {
namespace {

const std::string& direction(const ir::Op& op) {
  return op.attributes().get<std::string>("comparison_direction");
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "compare",
       .op_class = OpClass::kElementwise,
       .emit =
           [](const ElementCode& code) {
             return code.compare(direction(code.op()), code.operand(0), code.operand(1));
           },
       .element_kernel =
           [](const ir::Op& op, const elements::KernelSet& kernels) {
             return kernels.compare(direction(op), op.operand(0).dtype());
           }},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::compare_folder
