#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::dynamic_slice_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence& x = c.operands[0];
  if (!are_none(c.operands.subspan(1))) return mixed_by(c.op);
  return x.is_rows() && c.op.result().dims()[at(x.axis)] != c.op.operand(0).dims()[at(x.axis)]
             ? mixed_by(c.op)
             : x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "dynamic_slice", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::dynamic_slice_folder
