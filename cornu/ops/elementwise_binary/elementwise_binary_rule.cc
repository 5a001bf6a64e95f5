#include <cmath>

#include "cornu/transform/op_rules.h"

namespace cornu::inline v0::transform::elementwise_binary_folder {
namespace {

/// 0 times anything that a row of the data gives (see BatchDependenceAnalysis).
std::optional<ir::Literal> product_padding(const RowRuleContext& c) {
  const bool has_zero = c.operands[0].has_zero_padding() || c.operands[1].has_zero_padding();
  return has_zero ? zero_of(c.op.result().dtype()) : std::nullopt;
}

std::optional<ir::Literal> quotient_padding(const RowRuleContext& c) {
  return c.operands[0].has_zero_padding() ? c.operands[0].padding : std::nullopt;
}

bool always(ir::DType) { return true; }
bool if_logical(ir::DType dtype) { return dtype == ir::DType::kI1; }

bool is_zero(const ir::Literal& x) { return x.at(0) == 0; }
bool is_one(const ir::Literal& x) { return x.at(0) == 1; }
/// The one of -inf and inf that is no larger, or no smaller, than anything.
bool is_least(const ir::Literal& x) {
  return ir::is_float(x.type().dtype) && std::isinf(x.at(0)) && std::signbit(x.at(0));
}
bool is_greatest(const ir::Literal& x) {
  return ir::is_float(x.type().dtype) && std::isinf(x.at(0)) && !std::signbit(x.at(0));
}

}  // namespace

std::span<const OpRule> op_rules() {
  static constexpr OpRule kRules[] = {
      {.op = "add",
       .rows = RowRule{.combiner = {.is_sum = true, .is_idempotent = if_logical, .is_neutral = is_zero}}},
      {.op = "multiply",
       .rows = RowRule{.known_padding = product_padding,
                       .combiner = {.is_idempotent = if_logical, .is_neutral = is_one}}},
      {.op = "divide", .rows = RowRule{.known_padding = quotient_padding}},
      {.op = "and", .rows = RowRule{.known_padding = product_padding, .combiner = {.is_idempotent = always}}},
      {.op = "or", .rows = RowRule{.combiner = {.is_idempotent = always}}},
      {.op = "maximum", .rows = RowRule{.combiner = {.is_idempotent = always, .is_neutral = is_least}}},
      {.op = "minimum", .rows = RowRule{.combiner = {.is_idempotent = always, .is_neutral = is_greatest}}},
  };
  return kRules;
}

}  // namespace cornu::inline v0::transform::elementwise_binary_folder
