#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/plan/update.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::dynamic_update_slice_folder {
namespace {

using eager::View;

/// Start indices are clamped so that the window stays inside.
bool add_step(eager::Builder& builder, const ir::Op& op) {
  const View x = builder.view(op.operand(0));
  std::vector<View> starts;
  for (std::size_t i = 2; i < op.operands().size(); ++i) starts.push_back(builder.as_int64(op.operand(i)));
  const View update = builder.view(op.operand(1));
  const View to = builder.place(op.result());
  builder.add_copy(x, to);
  auto step = eager::make_step([=](const eager::Run& run) {
    eager::make_copy_step(update, eager::moved_window(to, update.dims, starts, run))->run(run);
  });
  std::vector<int> used = {update.slot, to.slot};
  eager::append_slots(starts, used);
  builder.add_step(std::move(step), used);
  return true;
}

void add_parts(UpdateParts& parts, const ir::Op& op) {
  parts.copy(op.operand(0), parts.stores()[0]);
  const ir::Value update = op.operand(1);
  IndexMap at = identity_map(update.dims().size());
  for (std::size_t d = 0; d < at.size(); ++d)
    at[d].dynamic.push_back({op.operand(2 + d), op.operand(0).dims()[d] - update.dims()[d], {}});
  parts.write(update, update.dims(), std::nullopt, std::move(at));
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "dynamic_update_slice",
       .op_kind = OpKind::kUpdate,
       .update = {.add_parts = add_parts,
                  .changes_operands = true,
                  .places = [](const ir::Op& op) { return op.operands().subspan(2); }},
       .eager = add_step},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::dynamic_update_slice_folder
