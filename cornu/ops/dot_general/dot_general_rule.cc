#include <array>

#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::dot_general_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence &x = c.operands[0], &y = c.operands[1];
  if (x.is_none() && y.is_none()) return {};
  const ops::DotDimensions dims = ops::dot_dimensions(c.op);
  const std::array<const BatchDependence*, 2> sides = {&x, &y};
  const std::array<const ir::Dims*, 2> batching = {&dims.lhs_batching, &dims.rhs_batching};
  const std::array<const ir::Dims*, 2> contracting = {&dims.lhs_contracting, &dims.rhs_contracting};
  if (x.is_rows() && y.is_rows()) {
    const std::int64_t batch_x = index_of(dims.lhs_batching, x.axis),
                       batch_y = index_of(dims.rhs_batching, y.axis);
    const std::int64_t sum_x = index_of(dims.lhs_contracting, x.axis),
                       sum_y = index_of(dims.rhs_contracting, y.axis);
    const bool same = x.outer == y.outer && x.inner == y.inner;
    if (same && batch_x == batch_y && contains(dims.lhs_batching, x.axis))
      return product_at(c, batched(x, y), batch_x);
    if (sum_x == sum_y && contains(dims.lhs_contracting, x.axis)) return contracted(c, x, y);
    return mixed_by(c.op);
  }
  const std::size_t side = x.is_rows() ? 0 : 1;
  const BatchDependence& rows = *sides[side];
  if (contains(*batching[side], rows.axis))
    return product_at(c, batched(x, y), index_of(*batching[side], rows.axis));
  if (contains(*contracting[side], rows.axis)) return contracted(c, x, y);
  // A free dimension: behind the batching ones and, of rhs, behind the free ones of lhs.
  std::int64_t axis = static_cast<std::int64_t>(batching[0]->size());
  if (side == 1)
    axis += c.op.operand(0).rank() - static_cast<std::int64_t>(batching[0]->size() + contracting[0]->size());
  for (std::int64_t d = 0; d < rows.axis; ++d)
    axis += contains(*batching[side], d) || contains(*contracting[side], d) ? 0 : 1;
  return product_at(c, rows, axis);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "dot_general", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::dot_general_folder
