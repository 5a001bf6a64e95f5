#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::broadcast_in_dim_folder {
namespace {

// Ops that move elements.
BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence& x = c.operands[0];
  return x.is_rows() ? moved(x, c.op.attributes().get<ir::Dims>("broadcast_dimensions")[at(x.axis)]) : x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "broadcast_in_dim", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::broadcast_in_dim_folder
