#pragma once

#include <optional>

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::ops {

struct AttentionOptions {
  /// What is added to the scores, of a shape that broadcasts to [batch, heads, T, S]. Undefined: nothing.
  Tensor bias = {};
  /// False, or 0, where a query does not see a key: i1 or numbers, of a shape that broadcasts as the bias's
  /// does.
  Tensor mask = {};
  /// The factor of the products of queries and keys; without it 1 / sqrt(dim).
  std::optional<double> scale = {};
  /// Whether query t sees only keys 0 to t.
  bool is_causal = false;
};

/// keras.ops.dot_product_attention: the mean of values, weighted by how well their keys fit a query.
///
///     const Tensor mixed = ops::dot_product_attention(query, key, value, {.is_causal = true});
///
/// Semantics: softmax over keys of scale * (query . key) + bias, in f32 at least. Where nothing may be seen
///            the score is the type's lowest (times 0.7), so a query that sees nothing sees all alike.
///            Without a bias the CPU engine goes by blocks and keeps no scores (flash_attention of Keras
///            chooses among kernels of other backends).
/// Shapes:    query [batch, T, heads, dim], key [batch, S, groups, dim], value [batch, S, groups, value_dim]
///            -> [batch, T, heads, value_dim], where groups divides heads: heads / groups heads in a row
///            share a key and a value.
/// Types:     numbers; the result's is promoted from all three, a float one.
/// Errors:    InvalidArgument for other shapes.
/// Gradient:  of query, key, value and bias.
/// Source:    Keras 3, ops.dot_product_attention by JAX.
Tensor dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const AttentionOptions& options = {});

}  // namespace cornu::inline v0::ops
