#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cornu/keras/layer/layer.h"

/// Code shared by the attention layers; not part of the interface.
namespace cornu::inline v0::keras::layers {

/// A base of attention layers, whose calls have special arguments in configurations.
class AttendingLayer {
 public:
  /// True if a call takes its inputs as one list, as Attention does; false if it takes query, value and key
  /// separately.
  virtual bool takes_list() const = 0;

 protected:
  ~AttendingLayer() = default;
};

/// The causal mask [1, T, S]: true where step t of `num_queries` may attend to step s of `num_keys`.
Tensor causal_mask(std::int64_t num_queries, std::int64_t num_keys);
/// The window mask: true for steps that are fewer than `window` apart.
Tensor window_mask(std::int64_t num_queries, std::int64_t num_keys, std::int64_t window);

/// The einsum equations for the products of a query [batch, ..., heads, features] with keys of the same form,
/// and for the sum of values weighted by scores [batch, ..., heads, T..., S...].
struct AttentionEquations {
  /// `rank`: the rank of the query; `attention_axes`: its axes that are steps.
  AttentionEquations(std::size_t rank, std::span<const std::int64_t> attention_axes);
  std::string products;  // (key, query)
  std::string mix;       // (scores, value)
};

/// Inserts axes of extent 1 into a mask of query steps by key steps, where the scores have further axes
/// (heads).
Tensor with_heads_axes(Tensor mask, std::int64_t scores_rank, std::size_t num_attention_axes);

}  // namespace cornu::inline v0::keras::layers
