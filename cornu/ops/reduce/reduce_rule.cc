#include <algorithm>

#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::reduce_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  const std::size_t n = c.operands.size() / 2;
  BatchDependence x = joined(c, c.operands.first(n));
  if (!are_none(c.operands.subspan(n))) return mixed_by(c.op);
  if (x.is_mixed()) return x;
  const auto& dimensions = c.op.attributes().get<ir::Dims>("dimensions");
  const ir::Op* body = n == 1 ? only_op(c.op.region(0)) : nullptr;
  if (x.is_rows() && contains(dimensions, x.axis)) {
    const auto& padding = c.operands[0].padding;
    if (body == nullptr) return mixed_by(c.op);
    if (c.operands[0].repeats && is_idempotent(*body)) return {};
    return padding.has_value() && is_neutral_in(*body, *padding, c.operands[1]) ? BatchDependence()
                                                                                : mixed_by(c.op);
  }
  x.repeats = body != nullptr && c.operands[0].repeats;
  x.axis -= std::count_if(dimensions.begin(), dimensions.end(), [&](std::int64_t d) { return d < x.axis; });
  if (body != nullptr) x.padding = combined_padding(*body, c.operands[0], c.operands[1]);
  return x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "reduce", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::reduce_folder
