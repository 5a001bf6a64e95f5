#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::concatenate_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  BatchDependence result = joined(c, {});
  std::optional<ir::Literal> padding = c.operands[0].padding;
  for (const BatchDependence& x : c.operands) {
    if (!result.is_rows() && x.is_rows()) result = without_padding(x);
    if (x.padding != padding) padding.reset();
  }
  if (!result.is_rows()) {
    result.padding = padding;
    return result;
  }
  const bool is_along = c.op.attributes().get<std::int64_t>("dimension") == result.axis;
  std::int64_t outer = 0;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const BatchDependence& x = c.operands[i];
    const std::int64_t extent = c.op.operand(i).dims()[at(result.axis)];
    const bool fits = !x.is_rows() || (x.axis == result.axis && x.inner == result.inner &&
                                       (is_along || x.outer == result.outer));
    if (!fits || extent % period(c, result) != 0) return mixed_by(c.op);
    outer += extent / period(c, result);
  }
  if (is_along) result.outer = outer;
  result.repeats = all_repeat(c.operands);
  result.padding = padding;
  return result;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "concatenate", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::concatenate_folder
