#include <optional>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu::transpose_folder {
namespace {

using ir::Dims;

std::optional<IndexMap> operand_map(const ir::Op& op, const IndexMap& map) {
  const auto& permutation = op.attributes().get<Dims>("permutation");
  IndexMap out(permutation.size());
  for (std::size_t d = 0; d < permutation.size(); ++d) out[static_cast<std::size_t>(permutation[d])] = map[d];
  return out;
}

bool add_view(eager::Builder& builder, const ir::Op& op) {
  const eager::View from = builder.view(op.operand(0));
  eager::View to = from;
  to.dims = op.result().dims();
  to.strides = ops::extents(from.strides, op.attributes().get<Dims>("permutation"));
  builder.set_view(op.result(), std::move(to));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "transpose", .op_kind = OpKind::kView, .operand_map = operand_map, .eager = add_view},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::transpose_folder
