#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::reverse_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence& x = c.operands[0];
  return x.is_rows() && contains(c.op.attributes().get<ir::Dims>("dimensions"), x.axis) ? mixed_by(c.op) : x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "reverse", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::reverse_folder
