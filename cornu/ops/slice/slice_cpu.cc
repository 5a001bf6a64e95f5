#include <optional>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::slice_folder {
namespace {

using ir::Dims;

std::optional<IndexMap> operand_map(const ir::Op& op, const IndexMap& map) {
  const auto& start = op.attributes().get<Dims>("start_indices");
  const auto& strides = op.attributes().get<Dims>("strides");
  IndexMap out = map;
  for (std::size_t d = 0; d < start.size(); ++d) {
    if (!map[d].dynamic.empty() && strides[d] != 1) return std::nullopt;
    out[d] = zero_index(num_loops_of(map));
    out[d].dynamic = map[d].dynamic;
    add_scaled(out[d], map[d], strides[d]);
    out[d].constant += start[d];
  }
  return out;
}

bool add_view(eager::Builder& builder, const ir::Op& op) {
  const eager::View from = builder.view(op.operand(0));
  eager::View to = from;
  to.dims = op.result().dims();
  const auto& start = op.attributes().get<Dims>("start_indices");
  const auto& strides = op.attributes().get<Dims>("strides");
  for (std::size_t d = 0; d < to.dims.size(); ++d) {
    to.offset += start[d] * from.strides[d];
    to.strides[d] = from.strides[d] * strides[d];
  }
  if (to.num_elements() == 0) to.offset = from.offset;
  builder.set_view(op.result(), std::move(to));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "slice", .op_kind = OpKind::kView, .operand_map = operand_map, .eager = add_view},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::slice_folder
