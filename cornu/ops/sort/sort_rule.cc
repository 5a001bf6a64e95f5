#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::sort_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const BatchDependence x = joined(c, c.operands);
  const auto dimension = c.op.attributes().get<std::int64_t>("dimension");
  const std::int64_t rank = c.op.operand(0).rank();
  return x.is_rows() && (dimension + rank) % rank == x.axis ? mixed_by(c.op) : x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "sort", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::sort_folder
