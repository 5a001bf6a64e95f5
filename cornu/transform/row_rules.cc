#include "cornu/transform/row_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::transform {
namespace {

/// Evaluates the op on known scalars.
std::optional<ir::Literal> evaluated(const ir::OpDef& def, const ir::Attributes& attributes,
                                     std::span<const ir::Literal> scalars) {
  ir::Block scratch;
  ir::Builder builder(scratch);
  std::vector<ir::Value> values;
  for (const ir::Literal& scalar : scalars) values.push_back(ops::constant(builder, scalar));
  return evaluate_op(builder.create(def, values, attributes), scalars)[0];
}

std::optional<ir::Literal> elementwise_padding(const RowRuleContext& c) {
  const std::span<const BatchDependence> x = c.operands;
  if (x.empty()) return std::nullopt;
  const RowRule* const rule = find_row_rule(c.op);
  if (rule != nullptr && rule->padding != nullptr) return rule->padding(c);
  if (std::all_of(x.begin(), x.end(), [](const BatchDependence& each) { return each.padding.has_value(); })) {
    std::vector<ir::Literal> scalars;
    for (const BatchDependence& each : x) scalars.push_back(*each.padding);
    return evaluated(c.op.def(), c.op.attributes(), scalars);
  }
  return rule == nullptr || rule->known_padding == nullptr ? std::nullopt : rule->known_padding(c);
}

const RowRule::Combiner& combiner_of(const ir::Op& body) {
  static constexpr RowRule::Combiner kNone;
  const RowRule* const rule = find_row_rule(body);
  return rule == nullptr ? kNone : rule->combiner;
}

}  // namespace

std::int64_t period(const RowRuleContext& c, const BatchDependence& x) { return c.batch * x.inner; }

BatchDependence moved(BatchDependence x, std::int64_t axis) {
  x.axis = axis;
  return x;
}

BatchDependence without_padding(BatchDependence x) {
  x.padding.reset();
  return x;
}

std::optional<ir::Literal> zero_of(ir::DType dtype) { return ir::Literal::scalar(dtype, 0); }

std::optional<ir::Literal> if_equal(const BatchDependence& a, const BatchDependence& b) {
  if (a.has_zero_padding() && b.has_zero_padding())
    return zero_of(a.padding->type().dtype);  // of either sign
  return a.padding.has_value() && a.padding == b.padding ? a.padding : std::nullopt;
}

BatchDependence joined(const RowRuleContext& c, std::span<const BatchDependence> operands) {
  BatchDependence result;
  for (const BatchDependence& operand : operands) {
    if (operand.is_none()) continue;
    if (operand.is_mixed()) return operand;
    if (result.is_rows() && !result.same_place(operand)) return mixed_by(c.op);
    result = without_padding(operand);
  }
  result.repeats = false;
  return result;
}

bool are_none(std::span<const BatchDependence> operands) {
  return std::all_of(operands.begin(), operands.end(),
                     [](const BatchDependence& each) { return each.is_none(); });
}

bool all_repeat(std::span<const BatchDependence> operands) {
  return std::all_of(operands.begin(), operands.end(), [](const BatchDependence& each) {
    return each.is_rows() ? each.repeats : each.padding.has_value();
  });
}

BatchDependence contracted(const RowRuleContext& c, const BatchDependence& x, const BatchDependence& y) {
  if (x.is_rows() && y.is_rows() && (x.outer != y.outer || x.inner != y.inner)) return mixed_by(c.op);
  return x.has_zero_padding() || y.has_zero_padding() ? BatchDependence() : mixed_by(c.op);
}

BatchDependence batched(const BatchDependence& x, const BatchDependence& y) {
  BatchDependence result = x.is_rows() ? x : y;
  result.repeats = x.is_rows() && y.is_rows() && x.repeats && y.repeats;
  return result;
}

BatchDependence product_at(const RowRuleContext& c, const BatchDependence& place, std::int64_t axis) {
  BatchDependence result = without_padding(moved(place, axis));
  if (c.operands[0].has_zero_padding() || c.operands[1].has_zero_padding())
    result.padding = zero_of(c.op.result().dtype());
  return result;
}

BatchDependence elementwise_rule(const RowRuleContext& c) {
  BatchDependence result = joined(c, c.operands);
  if (result.is_mixed()) return result;
  result.padding = elementwise_padding(c);
  result.repeats = result.is_rows() && all_repeat(c.operands);
  return result;
}

const ir::Op* only_op(const ir::Block& body) {
  if (body.ops().size() != 1 || body.results().size() != 1 || body.results()[0] != body.ops()[0]->result())
    return nullptr;
  return body.ops()[0].get();
}

bool is_sum(const ir::Op& body) { return combiner_of(body).is_sum; }

bool is_idempotent(const ir::Op& body) {
  const RowRule::Combiner& combiner = combiner_of(body);
  return combiner.is_idempotent != nullptr && combiner.is_idempotent(body.result().dtype());
}

bool is_neutral_in(const ir::Op& body, const ir::Literal& element, const BatchDependence& init) {
  if (is_idempotent(body) && init.padding == element) return true;
  const RowRule::Combiner& combiner = combiner_of(body);
  return combiner.is_neutral != nullptr && combiner.is_neutral(element);
}

std::optional<ir::Literal> combined_padding(const ir::Op& body, const BatchDependence& x,
                                            const BatchDependence& init) {
  if (!x.padding.has_value() || !init.padding.has_value()) return std::nullopt;
  if (is_sum(body) && x.has_zero_padding() && init.has_zero_padding()) return x.padding;
  if (!is_idempotent(body)) return std::nullopt;
  const std::array<ir::Literal, 2> scalars = {*init.padding, *x.padding};
  return evaluated(body.def(), body.attributes(), scalars);
}

BatchDependence mixed_by(const ir::Op& op) {
  std::string reason = fmt::format("\"{}\"", op.name());
  if (!op.location().empty()) reason += fmt::format(" of layer \"{}\"", op.location());
  return {.kind = BatchDependence::Kind::kUnknown,
          .reason = std::make_shared<const std::string>(std::move(reason))};
}

BatchDependence either(const BatchDependence& a, const BatchDependence& b, const ir::Op& op) {
  if (a.is_mixed() || b.is_mixed()) return a.is_mixed() ? a : b;
  if (a.is_rows() && b.is_rows() && !a.same_place(b)) return mixed_by(op);
  BatchDependence result = a.is_rows() ? a : b;
  result.repeats = a.is_rows() && b.is_rows() && a.repeats && b.repeats;
  result.padding = if_equal(a, b);
  return result;
}

std::vector<BatchDependence> batch_dependence_of(const RowRuleContext& context) {
  const ir::Op& op = context.op;
  const auto all = [&](const BatchDependence& result) {
    return std::vector<BatchDependence>(op.results().size(), result);
  };
  if (op.def().elementwise) return all(elementwise_rule(context));
  const RowRule* const rule = find_row_rule(op);
  if (rule != nullptr && rule->of != nullptr) return all(rule->of(context));
  return all(are_none(context.operands) ? BatchDependence() : mixed_by(op));
}

}  // namespace cornu::inline v0::transform
