#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::slice_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  BatchDependence x = c.operands[0];
  if (!x.is_rows()) return x;
  const auto list = [&](const char* name) { return c.op.attributes().get<ir::Dims>(name)[at(x.axis)]; };
  const std::int64_t start = list("start_indices"), limit = list("limit_indices"), round = period(c, x);
  if (list("strides") != 1 || start % round != 0 || limit % round != 0 || start == limit)
    return mixed_by(c.op);
  x.outer = (limit - start) / round;
  return x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "slice", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::slice_folder
