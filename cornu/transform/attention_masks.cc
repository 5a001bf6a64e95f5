#include "cornu/transform/attention_masks.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "cornu/ir/clone.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/evaluate.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {

// patterns: constant masks, and broadcasts of masks

using ir::Dims;
using ir::Op;
using ir::Value;

namespace {

constexpr std::int64_t kMostMaskElements = std::int64_t{1} << 22;  // of a constant mask that is looked at
constexpr std::size_t kMostMaskOps = 32;

bool may_evaluate(const Op& op) {
  constexpr std::string_view kOthers[] = {"constant",  "iota",       "broadcast_in_dim", "reshape",
                                          "transpose", "slice",      "convert",          "compare",
                                          "select",    "concatenate"};
  return op.def().elementwise || std::ranges::find(kOthers, op.name()) != std::end(kOthers);
}

/// The value of constants and positions; nothing if it depends on more, or is large.
std::optional<ir::Literal> constant_value(Value value) {
  if (value.op() == nullptr || value.type().num_elements() > kMostMaskElements) return std::nullopt;
  const std::vector<const Op*> needed = ir::needed_ops(*value.block(), std::array{value});
  if (needed.size() > kMostMaskOps) return std::nullopt;
  std::unordered_map<Value, ir::Literal, ir::ValueHash> known;
  for (const Op* const op : needed) {
    std::vector<ir::Literal> operands;
    for (const Value& operand : op->operands()) {
      const auto found = known.find(operand);
      if (found == known.end()) return std::nullopt;
      operands.push_back(found->second);
    }
    if (!may_evaluate(*op) || op->result().type().num_elements() > kMostMaskElements) return std::nullopt;
    known.emplace(op->result(), evaluate_op(*op, operands)[0]);
  }
  return known.at(value);
}

}  // namespace

/// Nothing if the mask is equal for all queries, or for all keys.
std::optional<AttentionMasks::Source> AttentionMasks::source_of(Value mask, bool is_inverted,
                                                                const AttentionAxes& axes) {
  Dims at = ops::counting(mask.rank()), dims = mask.dims();  // where the dimensions of what is repeated are
  if (const Op* const broadcast = made_by(mask, "broadcast_in_dim")) {
    at = broadcast->attributes().get<Dims>("broadcast_dimensions");
    mask = broadcast->operand(0);
  }
  const auto number_of = [&](std::int64_t axis) {
    const auto is_axis = [&](std::int64_t dimension) {
      return wide_dimensions({dimension}, dims) == Dims{axis};
    };
    return static_cast<std::size_t>(std::ranges::find_if(at, is_axis) - at.begin());
  };
  const Source source{mask, number_of(axes.query), number_of(axes.key), is_inverted};
  const auto is_there = [&](std::size_t number) { return number < at.size() && mask.dims()[number] != 1; };
  return is_there(source.query) && is_there(source.key) ? std::optional(source) : std::nullopt;
}

bool AttentionMasks::is_causal(const Source& mask) {
  const std::optional<ir::Literal> known = constant_value(mask.value);
  if (!known) return false;
  const auto is_seen = known->data<bool>();
  bool fits = true;
  ops::for_each_index(mask.value.dims(), [&](const Dims& index, std::int64_t number) {
    fits = fits && (is_seen[static_cast<std::size_t>(number)] != mask.is_inverted) ==
                       (index[mask.key] <= index[mask.query]);
  });
  return fits;
}

bool AttentionMasks::is_causal(Value mask, bool is_inverted, const AttentionAxes& axes) {
  const std::optional<Source> source = source_of(mask, is_inverted, axes);
  if (!source) return false;
  const auto found = std::ranges::find(known_, *source, &std::pair<Source, bool>::first);
  if (found != known_.end()) return found->second;
  known_.emplace_back(*source, is_causal(*source));
  return known_.back().second;
}

bool are_same_masks(Value x, Value y) {
  const auto a = under_views(x, wide_dimensions(x)), b = under_views(y, wide_dimensions(y));
  if (a == b) return true;
  const Op *const first = made_by(a.first, "broadcast_in_dim"), *const second =
                                                                    made_by(b.first, "broadcast_in_dim");
  if (first == nullptr || second == nullptr || a.second != b.second) return false;
  const auto kept = [](const Op& broadcast) {
    return wide_dimensions(broadcast.attributes().get<Dims>("broadcast_dimensions"),
                           broadcast.result().dims());
  };
  return first->operand(0) == second->operand(0) && kept(*first) == kept(*second);
}

}  // namespace cornu::inline v0::transform
