#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform::broadcast_in_dim_folder {
namespace {

// Ops that move elements.
BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence& x = c.operands[0];
  return x.is_rows() ? moved(x, c.op.attributes().get<ir::Dims>("broadcast_dimensions")[at(x.axis)]) : x;
}

}  // namespace

std::span<const RowRule> row_rules() {
  static constexpr RowRule kRules[] = {
      {.op = "broadcast_in_dim", .of = rule},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::broadcast_in_dim_folder
