#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::pad_folder {
namespace {

BatchDependence rule(const RowRuleContext& c) {
  BatchDependence x = c.operands[0];
  const std::optional<ir::Literal> padding = if_equal(x, c.operands[1]);
  if (!c.operands[1].is_none()) return mixed_by(c.op);
  if (x.is_rows()) {
    const auto list = [&](const char* name) { return c.op.attributes().get<ir::Dims>(name)[at(x.axis)]; };
    const std::int64_t low = list("edge_padding_low"), high = list("edge_padding_high"), round = period(c, x);
    if (list("interior_padding") != 0 || low % round != 0 || high % round != 0 ||
        x.outer + (low + high) / round < 1)
      return mixed_by(c.op);
    x.outer += (low + high) / round;
  }
  x.padding = padding;
  return x;
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "pad", .rows = RowRule{.of = rule}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::pad_folder
