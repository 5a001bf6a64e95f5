#include "cornu/transform/row_rules.h"

namespace cornu::inline v0::transform::transpose_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence& x = c.operands[0];
  return x.is_rows() ? moved(x, index_of(c.op.attributes().get<ir::Dims>("permutation"), x.axis)) : x;
}

}  // namespace

std::span<const RowRule> row_rules() {
  static constexpr RowRule kRules[] = {
      {.op = "transpose", .of = rule},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::transpose_folder
