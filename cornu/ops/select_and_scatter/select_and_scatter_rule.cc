#include "cornu/ops/select_and_scatter/select_and_scatter.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::select_and_scatter_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  BatchDependence x = joined(c, c.operands.first(2));
  if (!c.operands[2].is_none()) return mixed_by(c.op);
  if (!x.is_rows()) return x;
  const ops::PoolWindow window = ops::select_window(c.op);
  const std::size_t d = at(x.axis);
  if (window.dimensions[d] != 1 || window.strides[d] != 1 || window.padding_low[d] != 0 ||
      window.padding_high[d] != 0)
    return mixed_by(c.op);
  const ir::Op* body = only_op(c.op.region(1));
  if (body != nullptr && is_sum(*body)) x.padding = combined_padding(*body, c.operands[1], c.operands[2]);
  return x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "select_and_scatter", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::select_and_scatter_folder
