#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/plan/update.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::concatenate_folder {
namespace {

bool add_copies(eager::Builder& builder, const ir::Op& op) {
  const auto axis = static_cast<std::size_t>(op.attributes().get<std::int64_t>("dimension"));
  for (const ir::Value& operand : op.operands()) (void)builder.view(operand);
  eager::View part = builder.place(op.result());
  for (const ir::Value& operand : op.operands()) {
    part.dims[axis] = operand.dims()[axis];
    builder.add_copy(builder.view(operand), part);
    part.offset += part.dims[axis] * part.strides[axis];
  }
  return true;
}

/// Writes the operands at `offset` and after it; those of concatenates without memory too.
void add_parts_at(UpdateParts& parts, const ir::Op& op, ir::Dims offset) {
  const auto along = static_cast<std::size_t>(op.attributes().get<std::int64_t>("dimension"));
  for (const ir::Value& input : op.operands()) {
    const ir::Op* const maker = input.op();
    if (maker != nullptr && &maker->def() == &op.def() && !parts.plan().in_memory(input))
      add_parts_at(parts, *maker, offset);
    else
      parts.write(input, input.dims(), std::nullopt, shifted(offset));
    offset[along] += input.dims()[along];
  }
}

void add_parts(UpdateParts& parts, const ir::Op& op) {
  add_parts_at(parts, op, ir::Dims(op.result().dims().size(), 0));
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "concatenate",
       .op_kind = OpKind::kUpdate,
       .update = {.add_parts = add_parts},
       .eager = add_copies},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::concatenate_folder
