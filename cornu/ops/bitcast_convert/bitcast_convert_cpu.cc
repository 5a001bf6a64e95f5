#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::bitcast_convert_folder {
namespace {

/// Elements keep their size: the bits stay where they are.
bool keeps_size(const ir::Op& op) {
  return ir::size_bytes(op.operand(0).dtype()) == ir::size_bytes(op.result().dtype());
}

bool add_view(eager::Builder& builder, const ir::Op& op) {
  if (!keeps_size(op)) return false;
  builder.set_view(op.result(), eager::View(builder.view(op.operand(0))));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "bitcast_convert",
       .op_kind = OpKind::kElementwise,
       .classify =
           [](const ir::Op& op) { return keeps_size(op) ? OpKind::kElementwise : OpKind::kReference; },
       .falls_back = "between types of different widths",
       .emit = [](const ElementCode& code) { return code.bitcast(code.operand(0)); },
       .keeps_numbers = true,
       .eager = add_view},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::bitcast_convert_folder
