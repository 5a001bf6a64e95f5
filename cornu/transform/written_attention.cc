#include "cornu/transform/written_attention.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/dot_product_attention/dot_product_attention.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/transpose/transpose.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a softmax between two products, and its gradient

using ir::Dims;
using ir::Op;
using ir::Value;

std::int64_t product(std::span<const std::int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

Value transposed(ir::Builder& b, Value x, const Dims& permutation) {
  return permutation == ops::counting(x.rank()) ? x : ops::transpose(b, x, permutation);
}

Value reshaped(ir::Builder& b, Value x, const Dims& dims) {
  return x.dims() == dims ? x : ops::reshape(b, x, dims);
}

/// The heads of a matrix, as its memory has them: 1 if the steps of a head are next to each other.
std::int64_t natural_heads(const AttentionMatrix& matrix) {
  auto [value, order] = under_views(matrix.value(), matrix.order);
  if (const Op* const reshape = made_by(value, "reshape"); reshape != nullptr && order == Dims{0, 1, 2}) {
    const Dims dims = wide_extents(value.dims()), whole = wide_extents(reshape->operand(0).dims());
    if (whole.size() == 4 && whole[0] * whole[1] == dims[0] && whole[2] == dims[1] && whole[3] == dims[2])
      std::tie(value, order) = under_views(reshape->operand(0), {0, 1, 2, 3});
  }
  if (order.size() < 3) return 1;
  std::swap(order.end()[-3], order.end()[-2]);  // batch, steps, the last dimension of the batch, features
  const bool has_heads_inside = order == ops::counting(std::ssize(order));
  return has_heads_inside ? wide_extents(value.dims()).end()[-2] : 1;
}

/// A mask as it was before it was repeated, with extents of 1 for the dimensions along which it was: those of scores.
Value before_broadcast(ir::Builder& b, Value mask) {
  const Op* const broadcast = made_by(mask, "broadcast_in_dim");
  Dims extents = mask.dims();
  Value source = mask;
  if (broadcast != nullptr && ops::is_sorted(broadcast->attributes().get<Dims>("broadcast_dimensions"))) {
    const Dims& at = broadcast->attributes().get<Dims>("broadcast_dimensions");
    source = broadcast->operand(0);
    std::ranges::fill(extents, 1);
    for (std::size_t i = 0; i < at.size(); ++i) extents[static_cast<std::size_t>(at[i])] = source.dims()[i];
  }
  Dims of_scores;
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (mask.dims()[i] != 1) of_scores.push_back(extents[i]);
  return reshaped(b, source, of_scores);
}

/// Attention in the copy of a function.
class Joined {
 public:
  explicit Joined(const WrittenAttention& written) : written_(written) {
    batch_ = written.key.dims();
    batch_.resize(batch_.size() - 2);
    std::vector<std::int64_t> heads = {natural_heads(written.query), natural_heads(written.key),
                                       natural_heads(written.values[0])};
    std::ranges::sort(heads);
    if (heads[0] == heads[1] || heads[1] == heads[2]) heads_ = heads[1];
  }

  const WrittenAttention& written() const { return written_; }

  /// Notes the copies of an op's operands.
  void see(const Op& op, std::span<const Value> operands) {
    copies_.emplace(&op, std::vector<Value>(operands.begin(), operands.end()));
  }

  /// The copy's value for the result of one of the products that attention ends in.
  Value result_of(ir::Builder& b, const Op& dot) {
    const auto as_result = [&](Value value, const AttentionProduct& product) {
      return from_kernel(b, value, product);
    };
    if (!forward_.output) forward_ = make_forward(b);
    if (&dot == written_.output.dot) return as_result(forward_.output, written_.output);
    if (!gradient_.d_query) gradient_ = make_gradient(b);
    if (&dot == written_.d_query.dot) return as_result(gradient_.d_query, written_.d_query);
    if (&dot == written_.d_key.dot) return as_result(gradient_.d_key, written_.d_key);
    return as_result(gradient_.d_value, written_.d_value);
  }

 private:
  ops::DotProductAttentionOptions options() const {
    const AttentionMask& mask = written_.mask;
    ops::DotProductAttentionOptions options{.scale = written_.scale, .is_causal = mask.is_causal};
    if (mask.select != nullptr) options.masked_score = mask.score;
    return options;
  }

  ops::DotProductAttentionResult make_forward(ir::Builder& b) {
    query_ = to_kernel(b, written_.query);
    key_ = to_kernel(b, written_.key);
    value_ = to_kernel(b, seen_first(written_.values));
    mask_ = make_mask(b);
    return ops::dot_product_attention(b, query_, key_, value_, mask_, options());
  }

  ops::DotProductAttentionGradientResult make_gradient(ir::Builder& b) {
    return ops::dot_product_attention_gradient(b,
                                               {.query = query_,
                                                .key = key_,
                                                .value = value_,
                                                .result = forward_,
                                                .d_output = to_kernel(b, seen_first(written_.d_outputs)),
                                                .mask = mask_},
                                               options());
  }

  /// The first of equal matrices that has a copy.
  const AttentionMatrix& seen_first(const std::vector<AttentionMatrix>& matrices) const {
    return *std::ranges::find_if(matrices, [&](const auto& matrix) { return copies_.contains(matrix.dot); });
  }

  /// [batch, steps, heads, features]
  Value to_kernel(ir::Builder& b, const AttentionMatrix& matrix) const {
    const Value copy = copies_.at(matrix.dot)[matrix.operand];
    const Value x = transposed(b, reshaped(b, copy, wide_extents(copy.dims())), matrix.order);
    const std::int64_t steps = x.dims().end()[-2], features = x.dims().end()[-1];
    if (heads_ == 1) return reshaped(b, x, {product(batch_), steps, 1, features});
    return ops::transpose(b, reshaped(b, x, {product(batch_) / heads_, heads_, steps, features}),
                          {0, 2, 1, 3});
  }

  /// The result of a product that the kernel's result stands for.
  Value from_kernel(ir::Builder& b, Value x, const AttentionProduct& product) const {
    const std::int64_t steps = x.dims()[1], features = x.dims()[3];
    if (heads_ != 1) x = ops::transpose(b, x, {0, 2, 1, 3});
    x = reshaped(b, x, ops::concatenated(batch_, {steps, features}));
    x = transposed(b, x, ops::inverse_permutation(product.order));
    return reshaped(b, x, product.dot->result().dims());
  }

  /// [batch or 1, heads or 1, queries or 1, keys]; empty if there is none.
  Value make_mask(ir::Builder& b) const {
    const AttentionMask& written = written_.mask;
    if (written.select == nullptr || written.is_causal) return {};
    const Value whole = copies_.at(written.select)[0];
    const Dims order = ops::concatenated(written_.axes.batch, {written_.axes.query, written_.axes.key});
    Value mask = transposed(b, before_broadcast(b, whole), order);
    Dims dims = mask.dims();
    dims.back() = ops::extents(wide_extents(whole.dims()), order).back();
    const std::int64_t queries = dims.end()[-2], num_keys = dims.back();
    const auto batch = std::span(dims).first(batch_.size());
    if (product(batch) == 1) {
      mask = reshaped(b, ops::broadcast_to(b, mask, dims), {1, 1, queries, num_keys});
    } else {
      std::ranges::copy(batch_, batch.begin());
      mask = reshaped(b, ops::broadcast_to(b, mask, dims),
                      {product(batch_) / heads_, heads_, queries, num_keys});
    }
    return written.is_inverted ? ops::not_(b, mask) : mask;
  }

  const WrittenAttention& written_;
  Dims batch_;
  std::int64_t heads_ = 1;
  std::unordered_map<const Op*, std::vector<Value>> copies_;
  Value query_, key_, value_, mask_;
  ops::DotProductAttentionResult forward_;
  ops::DotProductAttentionGradientResult gradient_;
};

using Pays = bool (*)(const WrittenAttention&);

void find_in(const ir::Block& block, Pays pays, std::vector<WrittenAttention>& all) {
  for (WrittenAttention& found : find_attention(block))
    if (pays(found)) all.push_back(std::move(found));
  for (const auto& op : block.ops())
    for (const auto& region : op->regions()) find_in(*region, pays, all);
}

}  // namespace

std::unique_ptr<ir::Function> join_written_attention(const ir::Function& function, Pays pays) {
  std::vector<WrittenAttention> all;
  find_in(function.body, pays, all);
  if (all.empty()) return nullptr;
  std::vector<Joined> joined(all.begin(), all.end());
  std::unordered_map<const Op*, Joined*> results;
  std::unordered_multimap<const Op*, Joined*> operands;
  for (Joined& attention : joined) {
    const WrittenAttention& w = attention.written();
    for (const AttentionProduct* const product : {&w.output, &w.d_query, &w.d_key, &w.d_value})
      if (product->dot != nullptr) results.emplace(product->dot, &attention);
    for (const auto* const matrices : {&w.values, &w.d_outputs})
      for (const AttentionMatrix& matrix : *matrices) operands.emplace(matrix.dot, &attention);
    operands.emplace(w.query.dot, &attention);
    if (w.mask.select != nullptr) operands.emplace(w.mask.select, &attention);
  }
  return replace_ops(function,
                     [&](ir::Builder& b, const Op& op, std::span<const Value> copies) -> Replacement {
                       const auto [begin, end] = operands.equal_range(&op);
                       for (auto it = begin; it != end; ++it) it->second->see(op, copies);
                       const auto found = results.find(&op);
                       if (found == results.end()) return std::nullopt;
                       return std::vector{found->second->result_of(b, op)};
                     });
}

}  // namespace cornu::inline v0::transform
