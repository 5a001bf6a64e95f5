#include "cornu/keras/layers/attention/attention_support.h"

#include <string>

#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The indices of query steps and key steps, as [1, T, 1] and [1, 1, S].
struct Steps {
  Tensor query, key;
  Steps(std::int64_t num_queries, std::int64_t num_keys)
      : query(ops::reshape(ops::arange(num_queries, DType::kI32), {1, num_queries, 1})),
        key(ops::reshape(ops::arange(num_keys, DType::kI32), {1, 1, num_keys})) {}
};

}  // namespace

Tensor causal_mask(std::int64_t num_queries, std::int64_t num_keys) {
  const Steps steps(num_queries, num_keys);
  return ops::greater_equal(steps.query, steps.key);
}

Tensor window_mask(std::int64_t num_queries, std::int64_t num_keys, std::int64_t window) {
  const Steps steps(num_queries, num_keys);
  return ops::less(ops::absolute(steps.query - steps.key), Tensor(window));
}

AttentionEquations::AttentionEquations(std::size_t rank, std::span<const std::int64_t> attention_axes) {
  const auto letter = [](std::size_t i) { return static_cast<char>('a' + i); };
  std::string query, key, scores, query_steps, key_steps;
  for (std::size_t i = 0; i < rank; ++i) query += letter(i);
  key = query;
  std::size_t next = rank;
  for (const std::int64_t axis : attention_axes) {
    const auto at = static_cast<std::size_t>(axis);
    key[at] = letter(next++);
    query_steps += query[at];
    key_steps += key[at];
  }
  for (std::size_t i = 0; i + 1 < rank; ++i)
    if (query_steps.find(query[i]) == std::string::npos) scores += query[i];
  scores += query_steps + key_steps;
  products = key + "," + query + "->" + scores;
  mix = scores + "," + key + "->" + query;
}

Tensor with_heads_axes(Tensor mask, std::int64_t scores_rank, std::size_t num_attention_axes) {
  const std::int64_t at = -2 * static_cast<std::int64_t>(num_attention_axes) - 1;
  while (mask.rank() < scores_rank) mask = ops::expand_dims(mask, at);
  return ops::cast(mask, DType::kI1);
}

}  // namespace cornu::inline v0::keras::layers
