#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::constant_folder {
namespace {

bool add_constant(eager::Builder& builder, const ir::Op& op) {
  builder.set_view(op.result(), builder.constant(op.attributes().get<ir::Literal>("value")));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "constant", .op_kind = OpKind::kLeaf, .eager = add_constant},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::constant_folder
