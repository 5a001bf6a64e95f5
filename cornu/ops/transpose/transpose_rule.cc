#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::transpose_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence& x = c.operands[0];
  return x.is_rows() ? moved(x, index_of(c.op.attributes().get<ir::Dims>("permutation"), x.axis)) : x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "transpose", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::transpose_folder
