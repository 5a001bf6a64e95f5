#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cornu/keras/layer/layer.h"

/// What the layers of attention share; no part of the interface.
namespace cornu::inline v0::keras::layers {

/// A base of layers that attend: their calls have arguments of their own in configurations.
class AttendingLayer {
 public:
  /// Whether a call has its inputs as one list, as Attention, or each by itself: query, value, key.
  virtual bool takes_list() const = 0;

 protected:
  ~AttendingLayer() = default;
};

/// True where step t of `num_queries` may see step s of `num_keys`: [1, T, S].
Tensor causal_mask(std::int64_t num_queries, std::int64_t num_keys);
/// The same for steps that are fewer than `window` apart.
Tensor window_mask(std::int64_t num_queries, std::int64_t num_keys, std::int64_t window);

/// The products of a query [batch, ..., heads, features] with keys of the same form, and the mix of such
/// values by scores [batch, ..., heads, T..., S...], for einsum.
struct AttentionEquations {
  /// `rank`: of the query; `attention_axes`: which of its axes are steps.
  AttentionEquations(std::size_t rank, std::span<const std::int64_t> attention_axes);
  std::string products;  // (key, query)
  std::string mix;       // (scores, value)
};

/// A mask of steps against steps, with axes of extent 1 where the scores have others (heads) between.
Tensor with_heads_axes(Tensor mask, std::int64_t scores_rank, std::size_t num_attention_axes);

}  // namespace cornu::inline v0::keras::layers
