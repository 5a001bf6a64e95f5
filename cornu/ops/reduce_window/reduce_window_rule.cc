#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::reduce_window_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const std::size_t n = c.operands.size() / 2;
  BatchDependence x = joined(c, c.operands.first(n));
  if (!are_none(c.operands.subspan(n))) return mixed_by(c.op);
  if (!x.is_rows()) return x;
  const ops::WindowOptions window = ops::window_options(c.op);
  const std::size_t d = at(x.axis);
  if (window.dimensions[d] != 1 || window.strides[d] != 1 || window.base_dilations[d] != 1 ||
      window.padding_low[d] != 0 || window.padding_high[d] != 0)
    return mixed_by(c.op);
  const ir::Op* body = n == 1 ? only_op(c.op.region(0)) : nullptr;
  if (body != nullptr && is_sum(*body)) x.padding = combined_padding(*body, c.operands[0], c.operands[1]);
  return x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "reduce_window", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::reduce_window_folder
