#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::select_folder {
namespace {

/// Returns the padding of the choice that padding rows make, if the predicate's padding is known.
std::optional<ir::Literal> padding(const RowRuleContext& c) {
  const std::span<const BatchDependence> x = c.operands;
  if (x[0].padding.has_value()) return x[x[0].has_zero_padding() ? 2 : 1].padding;
  return if_equal(x[1], x[2]);
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "select", .rows = RowRule{.of = elementwise_rule, .padding = padding}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::select_folder
