#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::bitcast_convert_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  if (ir::bit_width(c.op.operand(0).dtype()) == ir::bit_width(c.op.result().dtype()))
    return elementwise_rule(c);
  return c.operands[0].is_none() ? BatchDependence() : mixed_by(c.op);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "bitcast_convert", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::bitcast_convert_folder
