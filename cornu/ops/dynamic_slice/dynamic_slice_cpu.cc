#include <optional>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::dynamic_slice_folder {
namespace {

using eager::View;
using ir::Dims;

std::optional<IndexMap> operand_map(const ir::Op& op, const IndexMap& map) {
  IndexMap out = map;
  for (std::size_t d = 0; d < out.size(); ++d)
    out[d].dynamic.push_back({op.operand(d + 1), op.operand(0).dims()[d] - op.result().dims()[d], {}});
  return out;
}

/// Start indices are clamped so that the window stays inside.
bool add_step(eager::Builder& builder, const ir::Op& op) {
  const View x = builder.view(op.operand(0));
  std::vector<View> starts;
  for (std::size_t i = 1; i < op.operands().size(); ++i) starts.push_back(builder.as_int64(op.operand(i)));
  const View to = builder.place(op.result());
  auto step = eager::make_step([=](const eager::Run& run) {
    View from = eager::moved_window(x, to.dims, starts, run);
    eager::make_copy_step(from, to)->run(run);
  });
  std::vector<int> used = {x.slot, to.slot};
  eager::append_slots(starts, used);
  builder.add_step(std::move(step), used);
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "dynamic_slice",
       .op_kind = OpKind::kView,
       .operand_map = operand_map,
       .is_computed_view = true,
       .eager = add_step},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::dynamic_slice_folder
