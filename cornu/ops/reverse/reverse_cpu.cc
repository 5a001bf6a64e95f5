#include <optional>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::reverse_folder {
namespace {

using ir::Dims;

std::optional<IndexMap> operand_map(const ir::Op& op, const IndexMap& map) {
  IndexMap out = map;
  for (const std::int64_t dimension : op.attributes().get<Dims>("dimensions")) {
    const auto d = static_cast<std::size_t>(dimension);
    if (!map[d].dynamic.empty()) return std::nullopt;
    out[d] = zero_index(num_loops_of(map));
    add_scaled(out[d], map[d], -1);
    out[d].constant += op.operand(0).dims()[d] - 1;
  }
  return out;
}

bool add_view(eager::Builder& builder, const ir::Op& op) {
  const eager::View from = builder.view(op.operand(0));
  eager::View to = from;
  to.dims = op.result().dims();
  for (const std::int64_t d : op.attributes().get<Dims>("dimensions")) {
    const auto axis = static_cast<std::size_t>(d);
    if (from.dims[axis] == 0) continue;
    to.offset += (from.dims[axis] - 1) * from.strides[axis];
    to.strides[axis] = -from.strides[axis];
  }
  builder.set_view(op.result(), std::move(to));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "reverse", .op_kind = OpKind::kView, .operand_map = operand_map, .eager = add_view},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::reverse_folder
