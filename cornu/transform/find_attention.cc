#include "cornu/transform/find_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cornu/ir/clone.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/transform/attention_masks.h"
#include "cornu/transform/simplify_patterns.h"
#include "cornu/transform/softmax_terms.h"

namespace cornu::inline v0::transform {

// patterns: a softmax between two products, and its gradient

using ir::Dims;
using ir::Op;
using ir::Value;

AttentionExtents WrittenAttention::extents() const {
  const Dims queries = query.dims(), keys = key.dims();
  AttentionExtents extents{.queries = queries.end()[-2],
                           .keys = keys.end()[-2],
                           .dim = keys.back(),
                           .value_dim = values[0].dims().back()};
  for (std::size_t i = 0; i + 2 < keys.size(); ++i) extents.batch *= keys[i];
  return extents;
}

namespace {

class Uses {
 public:
  explicit Uses(const ir::Block& block) {
    for (const auto& op : block.ops()) {
      for (const Value& operand : op->operands()) users_[operand].push_back(op.get());
      if (!op->regions().empty())
        for (const Value& captured : ir::captured_values(*op)) users_[captured].push_back(op.get());
    }
    returned_.insert(block.results().begin(), block.results().end());
  }

  const std::vector<const Op*>& of(Value value) const {
    static const std::vector<const Op*> kNoUsers;
    const auto found = users_.find(value);
    return found == users_.end() ? kNoUsers : found->second;
  }
  bool is_returned(Value value) const { return returned_.contains(value); }

 private:
  std::unordered_map<Value, std::vector<const Op*>, ir::ValueHash> users_;
  std::unordered_set<Value, ir::ValueHash> returned_;
};

std::optional<double> splat_number(Value value) {
  const std::optional<ir::Literal> splat = splat_value(value);
  return splat ? std::optional<double>(splat->at(0)) : std::nullopt;
}

constexpr double kLargestOfNone = -std::numeric_limits<double>::infinity();  // the largest of no numbers

/// True for sums or maxima of x along these dimensions.
bool reduces(Value value, std::string_view kind, Value x, const Dims& dimensions) {
  const Op* const reduce = made_by(value, "reduce");
  if (reduce == nullptr || reduce->operands().size() != 2 || ops::simple_reduce_kind(*reduce) != kind ||
      under_views(reduce->operand(0), wide_dimensions(reduce->operand(0))) !=
          under_views(x, wide_dimensions(x)) ||
      wide_dimensions(reduce->attributes().get<Dims>("dimensions"), reduce->operand(0).dims()) != dimensions)
    return false;
  return splat_number(reduce->operand(1)) == (kind == "add" ? 0 : kLargestOfNone);
}

/// x and c of c * x, or of x / (1 / c).
struct Scaled {
  Value value;
  double factor = 1;
};

Scaled scaled(Value value) {
  const Op* const op = value.op();
  if (op != nullptr && op->name() == "multiply")
    for (const std::size_t i : {0, 1})
      if (const auto factor = splat_number(op->operand(i))) return {op->operand(1 - i), *factor};
  if (op != nullptr && op->name() == "divide")
    if (const auto divisor = splat_number(op->operand(1))) return {op->operand(0), 1 / *divisor};
  return {value, 1};
}

/// Finds the attention that an exponential is part of.
class Search {
 public:
  Search(const Uses& uses, AttentionMasks& masks, const Op& exponential)
      : uses_(uses), masks_(masks), exponential_(exponential) {}

  std::optional<WrittenAttention> run() {
    if (!find_scores()) return std::nullopt;
    learn(exponential_.result(), {terms_of(SoftmaxSymbol::kExponentials)});
    follow();
    if (!find_products(softmax_weights()) || found_.output.dot == nullptr) return std::nullopt;
    follow();  // now with the gradient of the weights
    if (!find_products(softmax_gradient())) return std::nullopt;
    if (found_.has_gradient() != !found_.d_outputs.empty() || !has_no_other_uses()) return std::nullopt;
    return std::move(found_);
  }

 private:
  /// The terms of a value, and whether it is 0 where the mask is false.
  struct Known {
    SoftmaxTerms terms;
    bool is_masked = false;
  };

  void inside(Value value) {
    if (value.op() != nullptr) inside_.insert(value.op());
  }

  /// An op and those of its first operands up to `end`.
  void inside_up_to(Value value, Value end) {
    for (; value != end; value = value.op()->operand(0)) inside(value);
    inside(end);
  }
  void product_inside(Value products) { inside_up_to(products, under_views(products, {}).first); }

  /// The value under views that keep the order of `value`'s elements.
  Value without_views(Value value) {
    const Dims order = wide_dimensions(value);
    const auto [under, at] = under_views(value, order);
    if (at != order) return value;
    inside_up_to(value, under);
    return under;
  }

  /// exp(scores - their largest), and the products of queries and keys that the scores are made of.
  bool find_scores() {
    const Value e = exponential_.result();
    const Op* const difference = made_by(exponential_.operand(0), "subtract");
    if (difference == nullptr || e.dtype() != ir::DType::kF32) return false;
    const auto largest = spread_value(difference->operand(1));
    if (!largest) return false;
    axes_.key = largest->second;
    const Value scores = difference->operand(0);
    for (const Value& value : {e, difference->result(), difference->operand(1)}) inside(value);
    Value maximum = without_views(largest->first);
    // JAX writes the maximum of the largest score and of none.
    if (const Op* const op = made_by(maximum, "maximum"))
      for (const std::size_t i : {0, 1})
        if (splat_number(op->operand(i)) == kLargestOfNone) {
          inside(maximum);
          maximum = without_views(op->operand(1 - i));
        }
    if (!reduces(maximum, "maximum", scores, {axes_.key})) return false;
    inside(maximum);
    without_views(maximum.op()->operand(0));
    const Value masked = without_views(scores);
    const Value products = without_mask(masked);
    if (!products) return false;
    const Value unscaled = without_views(products);
    const Scaled s = scaled(unscaled);
    found_.scale = s.factor;
    if (s.value != unscaled) inside(unscaled);
    return find_axes(s.value);
  }

  /// The scores before they are masked; empty if they are masked by something else than a score.
  Value without_mask(Value scores) {
    const Op* const select = made_by(scores, "select");
    if (select == nullptr) return scores;
    AttentionMask& mask = found_.mask;
    mask = {.select = select, .is_inverted = splat_number(select->operand(1)).has_value()};
    const auto score = splat_number(select->operand(mask.is_inverted ? 1 : 2));
    if (!score || select->operand(0).rank() != scores.rank()) return {};
    mask.score = *score;
    inside(scores);
    return select->operand(mask.is_inverted ? 2 : 1);
  }

  bool find_axes(Value products) {
    std::optional<AttentionAxes> axes = axes_of(products, axes_.key);
    const auto factors = axes ? factors_of(products, *axes) : std::nullopt;
    if (!factors) return false;
    axes_ = found_.axes = std::move(*axes);
    found_.query = factors->query;
    found_.key = factors->key;
    product_inside(products);
    AttentionMask& mask = found_.mask;
    if (mask.select != nullptr)
      mask.is_causal = masks_.is_causal(mask.select->operand(0), mask.is_inverted, axes_);
    return true;
  }

  void learn(Value value, Known known) {
    if (!known_.emplace(value, std::move(known)).second) return;
    inside(value);
    learned_.push_back(value);
  }

  /// Learns what follows from what is known.
  void follow() {
    for (std::size_t i = 0; i < learned_.size(); ++i)
      for (const Op* const user : uses_.of(learned_[i]))
        if (user->results().size() == 1 && !known_.contains(user->result()))
          if (std::optional<Known> known = known_of(*user)) learn(user->result(), std::move(*known));
  }

  std::optional<Known> known_of(const Op& op) {
    if (op.name() == "broadcast_in_dim" || op.name() == "reshape" || op.name() == "transpose")
      return known_of_view(op);
    if (op.name() == "reduce") return known_of_sum(op);
    if (op.name() == "select") return known_of_select(op);
    std::vector<SoftmaxTerms> operands;
    bool is_masked = false;
    for (const Value& operand : op.operands()) {
      if (const auto number = splat_number(operand)) {
        operands.push_back({{.coefficient = *number}});
        continue;
      }
      if (!known_.contains(operand) && is_weights_gradient(operand)) {
        learn(operand, {terms_of(SoftmaxSymbol::kGradient)});
        product_inside(operand);
      }
      const auto found = known_.find(operand);
      if (found == known_.end()) return std::nullopt;
      is_masked |= found->second.is_masked;
      operands.push_back(found->second.terms);
    }
    // What is masked is only scaled.
    const bool is_scaled =
        std::ranges::any_of(op.operands(), [](Value x) { return splat_number(x).has_value(); });
    if (is_masked && !is_scaled) return std::nullopt;
    std::optional<SoftmaxTerms> terms = combined_terms(op, operands);
    return terms ? std::optional(Known{std::move(*terms), is_masked}) : std::nullopt;
  }

  /// True for values with a number for each query.
  bool is_row(Value value) const {
    Dims dims = wide_extents(exponential_.result().dims());
    dims.erase(dims.begin() + axes_.key);
    return wide_extents(value.dims()) == dims;
  }
  /// True for values with a number for each query and key.
  bool is_whole(Value value) const {
    return wide_extents(value.dims()) == wide_extents(exponential_.result().dims());
  }

  std::optional<Known> known_of_view(const Op& op) const {
    const auto found = known_.find(op.operand(0));
    if (found == known_.end()) return std::nullopt;
    const Value from = op.operand(0), to = op.result();
    if (op.name() == "broadcast_in_dim") {
      const Dims at = wide_dimensions(op.attributes().get<Dims>("broadcast_dimensions"), to.dims());
      const bool keeps_order = wide_extents(from.dims()) == wide_extents(to.dims()) && ops::is_sorted(at);
      const auto spread = spread_value(to);
      const bool is_spread = spread && spread->second == axes_.key && is_row(from) && is_whole(to);
      return keeps_order || is_spread ? std::optional(found->second) : std::nullopt;
    }
    const bool keeps_order = under_views(to, wide_dimensions(to)) == under_views(from, wide_dimensions(from));
    return keeps_order ? std::optional(found->second) : std::nullopt;
  }

  std::optional<Known> known_of_sum(const Op& op) const {
    const Value x = op.operand(0);
    const auto found = known_.find(x);
    if (found == known_.end() || found->second.is_masked) return std::nullopt;
    if (is_row(x) && reduces(op.result(), "add", x, {})) return found->second;
    if (!is_whole(x) || !reduces(op.result(), "add", x, {axes_.key})) return std::nullopt;
    std::optional<SoftmaxTerms> sums = summed_terms(found->second.terms);
    return sums ? std::optional(Known{std::move(*sums)}) : std::nullopt;
  }

  std::optional<Known> known_of_select(const Op& select) const {
    const std::size_t seen = found_.mask.is_inverted ? 2 : 1;
    if (found_.mask.select == nullptr || !ops::is_zero(select.operand(3 - seen)) ||
        !are_same_masks(select.operand(0), found_.mask.select->operand(0)))
      return std::nullopt;
    const auto found = known_.find(select.operand(seen));
    if (found == known_.end()) return std::nullopt;
    return Known{found->second.terms, true};
  }

  /// True for the products of the output's gradient and values.
  bool is_weights_gradient(Value value) {
    if (found_.values.empty() || !is_whole(value)) return false;
    auto factors = factors_of(value, axes_);
    if (!factors || !are_same(factors->key, found_.values[0])) return false;
    if (!found_.d_outputs.empty() && !are_same(factors->query, found_.d_outputs[0])) return false;
    found_.d_outputs.push_back(std::move(factors->query));
    found_.values.push_back(std::move(factors->key));
    return true;
  }

  /// The products of `wanted`, weights or the gradient of scores, with matrices. False if one is none of attention.
  bool find_products(const SoftmaxTerms& wanted) {
    const bool is_gradient = &wanted == &softmax_gradient();
    for (const Value& value : learned_) {
      const Known& known = known_.at(value);
      const std::optional<double> factor = factor_of(known.terms, wanted);
      if (!factor) continue;
      for (const Op* const user : uses_.of(value)) {
        if (user->name() != "dot_general") continue;
        const bool is_whole = known.is_masked == (is_gradient && found_.mask.select != nullptr);
        const double scale = is_gradient ? found_.scale : 1;
        const std::optional<AttentionMix> mix = mix_of(*user, value, axes_);
        if (!mix || !is_whole || std::fabs(*factor - scale) > 1e-6 * std::fabs(scale) ||
            !take(*mix, is_gradient))
          return false;
      }
    }
    return true;
  }

  bool take(const AttentionMix& mix, bool is_gradient) {
    const bool is_over_keys = mix.is_over_keys;
    AttentionProduct& product = is_gradient ? (is_over_keys ? found_.d_query : found_.d_key)
                                            : (is_over_keys ? found_.output : found_.d_value);
    if (product.dot != nullptr) return false;
    product = mix.product;
    if (is_gradient) return are_same(mix.matrix, is_over_keys ? found_.key : found_.query);
    (is_over_keys ? found_.values : found_.d_outputs).push_back(mix.matrix);
    return true;
  }

  /// True if only ops that the kernels replace use what is not kept.
  bool has_no_other_uses() const {
    std::unordered_set<const Op*> replaced = inside_;
    for (const AttentionProduct* const product :
         {&found_.output, &found_.d_query, &found_.d_key, &found_.d_value})
      replaced.insert(product->dot);
    return std::ranges::all_of(inside_, [&](const Op* op) {
      return !uses_.is_returned(op->result()) &&
             std::ranges::all_of(uses_.of(op->result()),
                                 [&](const Op* user) { return replaced.contains(user); });
    });
  }

  const Uses& uses_;
  AttentionMasks& masks_;
  const Op& exponential_;
  AttentionAxes axes_;
  std::unordered_map<Value, Known, ir::ValueHash> known_;
  std::vector<Value> learned_;  // in the order in which they became known
  std::unordered_set<const Op*> inside_;
  WrittenAttention found_;
};

}  // namespace

std::vector<WrittenAttention> find_attention(const ir::Block& block) {
  std::vector<WrittenAttention> all;
  const bool has_exponential =
      std::ranges::any_of(block.ops(), [](const auto& op) { return op->name() == "exponential"; });
  if (!has_exponential) return all;
  const Uses uses(block);
  AttentionMasks masks;
  for (const auto& op : block.ops())
    if (op->name() == "exponential")
      if (auto found = Search(uses, masks, *op).run()) all.push_back(std::move(*found));
  return all;
}

}  // namespace cornu::inline v0::transform
