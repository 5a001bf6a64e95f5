#pragma once

#include <optional>
#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct DotProductAttentionOptions {  // options/ops.toml
  /// Factor of the products of queries and keys.
  double scale = 1;
  /// True: query t attends to keys 0 to t only.
  bool is_causal = false;
  /// Score of the keys that a query does not see; unset: the type's lowest number times 0.7.
  std::optional<double> masked_score = {};
};

struct DotProductAttentionResult {
  ir::Value output;  // [batch, T, heads, value_dim]
  // What the gradient's kernel makes the weights from again; in f32 if the dtype is narrower: [batch, heads,
  // T].
  ir::Value largest;  // score of each query
  ir::Value sum;      // of exp(score - largest)
};

/// The mean of values, weighted by how well their keys fit a query; the weights are kept nowhere.
///
/// Semantics: softmax over keys of scale * (query . key), in f32 at least; where the mask is false,
///            or is_causal and the key is a later one, the score is masked_score (as a rule the type's lowest
///            times 0.7), so a query that may see nothing sees all alike. The output is weights . value.
/// Shapes:    query [batch, T, heads, dim], key [batch, S, heads, dim], value [batch, S, heads, value_dim],
///            S > 0; mask (may be empty) [batch or 1, heads or 1, T or 1, S] -> [batch, T, heads, value_dim].
/// Types:     query float, key and value the same; mask i1.
/// Errors:    InvalidArgument for other shapes and types.
/// Gradient:  composite cornu.dot_product_attention_gradient, of query, key and value.
/// Source:    Keras, ops.dot_product_attention (by JAX); composite cornu.dot_product_attention.
DotProductAttentionResult dot_product_attention(ir::Builder& builder, ir::Value query, ir::Value key,
                                                ir::Value value, ir::Value mask = {},
                                                const DotProductAttentionOptions& options = {});

struct DotProductAttentionGradientOperands {
  ir::Value query, key, value;
  DotProductAttentionResult result;
  ir::Value d_output;
  ir::Value mask = {};  // may be empty
};

struct DotProductAttentionGradientResult {
  ir::Value d_query, d_key, d_value;
};

/// The gradient of dot_product_attention. Its definition does not use `result`, which its kernel does.
DotProductAttentionGradientResult dot_product_attention_gradient(
    ir::Builder& builder, const DotProductAttentionGradientOperands& operands,
    const DotProductAttentionOptions& options = {});

/// The options of an op of either kind, as they were given.
DotProductAttentionOptions dot_product_attention_options(const ir::Op& op);
/// The score of keys that a query of such an op does not see.
double masked_attention_score(const ir::Op& op);

namespace dot_product_attention_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
