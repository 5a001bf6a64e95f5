#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/update.h"
#include "cornu/ir/op_def.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::backends::cpu::scatter_folder {
namespace {

/// The value of a scatter's input that is the same everywhere, if slices of the scatter are whole rows: then
/// each writes its rows and adds to them while they are in its core's cache.
std::optional<ir::Literal> value_to_fill(const Plan& plan, const ir::Op& scatter) {
  if (scatter.results().size() != 1 || plan.in_memory(scatter.operand(0)) || !can_share_scatter(scatter))
    return std::nullopt;
  const ScatterShape shape = scatter_shape(scatter);
  if (shape.starts[*shape.shared].dimension != 0) return std::nullopt;
  return transform::splat_value(scatter.operand(0));
}

void add_parts(UpdateParts& parts, const ir::Op& op) {
  const std::size_t count = op.results().size();
  const bool has_updates =
      op.operand(count + 1).type().num_elements() > 0 && op.result().type().num_elements() > 0;
  std::optional<ir::Literal> fill = has_updates ? value_to_fill(parts.plan(), op) : std::nullopt;
  if (!fill)
    for (const Store& store : parts.stores())
      parts.copy(op.operand(static_cast<std::size_t>(store.value.index())), store);
  if (has_updates)
    parts.add({.kind = ScatterGroup{{}, std::move(fill)},
               .op = &op,
               .stores = parts.stores(),
               .extents = op.operand(count + 1).dims(),
               .members = {&op}});
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "scatter",
       .op_kind = OpKind::kUpdate,
       .classify =
           [](const ir::Op& op) { return has_elementwise_body(op) ? OpKind::kUpdate : OpKind::kReference; },
       .falls_back = kFallsBackByBody,
       .update = {.add_parts = add_parts,
                  .changes_operands = true,
                  .places = [](const ir::Op& op) { return op.operands().subspan(op.results().size(), 1); }}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::scatter_folder
