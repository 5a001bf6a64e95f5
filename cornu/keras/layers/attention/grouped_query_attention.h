#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct GroupQueryAttentionOptions {
  std::int64_t head_dim = 0;
  std::int64_t num_query_heads = 0;
  std::int64_t num_key_value_heads = 0;
  double dropout = 0;
  bool use_bias = true;
  /// Steps see no others that are this far away or farther.
  std::optional<std::int64_t> sliding_window = {};
  InitializerSpec kernel_initializer = "glorot_uniform";
  InitializerSpec bias_initializer = "zeros";
  RegularizerSpec kernel_regularizer = {};
  RegularizerSpec bias_regularizer = {};
  RegularizerSpec activity_regularizer = {};  // of each projection
  ConstraintSpec kernel_constraint = {};
  ConstraintSpec bias_constraint = {};
  bool use_gate = false;
  std::optional<std::uint64_t> seed = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(GroupQueryAttentionOptions, head_dim, num_query_heads, num_key_value_heads, dropout, use_bias,
             sliding_window, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
             activity_regularizer, kernel_constraint, bias_constraint, use_gate, seed, name, trainable, dtype)

/// MultiHeadAttention in which several heads of the query share one of key and value.
///
/// Shapes:  query [batch, T, features], value and key [batch, S, features], attention_mask [batch, T, S] ->
///          [batch, T, features]; scores [batch, num_query_heads, T, S].
/// Errors:  InvalidArgument for options out of range, when num_key_value_heads does not divide
///          num_query_heads, for other numbers of inputs than 2 to 4, and extents of value and key that
///          differ.
class GroupQueryAttention : public LayerHandle {
 public:
  explicit GroupQueryAttention(GroupQueryAttentionOptions options);
};

using GroupedQueryAttention = GroupQueryAttention;  // how Keras calls the class inside

}  // namespace cornu::inline v0::keras::layers
