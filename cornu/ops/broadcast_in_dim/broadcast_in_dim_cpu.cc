#include <optional>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::broadcast_in_dim_folder {
namespace {

using ir::Dims;

std::optional<IndexMap> operand_map(const ir::Op& op, const IndexMap& map) {
  const Dims& operand = op.operand(0).dims();
  const auto& dims = op.attributes().get<Dims>("broadcast_dimensions");
  IndexMap out;
  for (std::size_t d = 0; d < operand.size(); ++d)
    out.push_back(operand[d] == 1 ? zero_index(num_loops_of(map)) : map[static_cast<std::size_t>(dims[d])]);
  return out;
}

bool add_view(eager::Builder& builder, const ir::Op& op) {
  const eager::View from = builder.view(op.operand(0));
  eager::View to = from;
  to.dims = op.result().dims();
  to.strides.assign(to.dims.size(), 0);
  const auto& map = op.attributes().get<Dims>("broadcast_dimensions");
  for (std::size_t d = 0; d < map.size(); ++d)
    if (from.dims[d] != 1) to.strides[static_cast<std::size_t>(map[d])] = from.strides[d];
  builder.set_view(op.result(), std::move(to));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "broadcast_in_dim", .op_kind = OpKind::kView, .operand_map = operand_map, .eager = add_view},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::broadcast_in_dim_folder
