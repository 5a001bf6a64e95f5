#pragma once

#include <optional>

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::ops {

struct AttentionOptions {  // options/ops.toml
  /// Numbers that are added to the scores, of a shape that broadcasts to [batch, heads, T, S]; undefined:
  /// none.
  Tensor bias = {};
  /// False, or 0, where a query does not attend to a key: i1 or numbers, of a shape that broadcasts to
  /// [batch, heads, T, S]; undefined: all keys.
  Tensor mask = {};
  /// Factor of the products of queries and keys; unset: 1 / sqrt(dim).
  std::optional<double> scale = {};
  /// True: query t attends to keys 0 to t only.
  bool is_causal = false;
};

/// keras.ops.dot_product_attention: the mean of values, weighted by the match of their keys with a query.
///
///     const Tensor mixed = ops::dot_product_attention(query, key, value, {.is_causal = true});
///
/// Semantics: softmax over keys of scale * (query . key) + bias, in f32 at least. A masked score is the
///            type's lowest number (times 0.7), so a query with all keys masked gets equal weights. Without a
///            bias the CPU engine computes by blocks and stores no scores (Keras's flash_attention selects
///            kernels of other backends).
/// Shapes:    query [batch, T, heads, dim], key [batch, S, groups, dim], value [batch, S, groups, value_dim]
///            -> [batch, T, heads, value_dim], where groups divides heads: heads / groups consecutive heads
///            share a key and a value.
/// Types:     numbers; the result has the promoted type of all three, a float type.
/// Errors:    InvalidArgument for other shapes.
/// Gradient:  of query, key, value and bias.
/// Source:    Keras 3, ops.dot_product_attention on JAX.
Tensor dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const AttentionOptions& options = {});

}  // namespace cornu::inline v0::ops
