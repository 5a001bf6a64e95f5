#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::dynamic_update_slice_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  if (!are_none(c.operands.subspan(2))) return mixed_by(c.op);
  BatchDependence result = joined(c, c.operands.first(2));
  if (result.is_mixed()) return result;
  if (result.is_rows() && c.op.operand(0).dims()[at(result.axis)] != c.op.operand(1).dims()[at(result.axis)])
    return mixed_by(c.op);
  result.padding = if_equal(c.operands[0], c.operands[1]);
  return result;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "dynamic_update_slice", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::dynamic_update_slice_folder
