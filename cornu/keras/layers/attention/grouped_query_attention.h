#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct GroupQueryAttentionOptions {  // options/layers.toml
  /// Number of features of each head; must be positive.
  std::int64_t head_dim = 0;
  /// Number of heads of queries; must be positive.
  std::int64_t num_query_heads = 0;
  /// Number of heads of keys and values; must divide num_query_heads.
  std::int64_t num_key_value_heads = 0;
  /// Share of the attention scores that are dropped while training, in [0, 1].
  double dropout = 0.0;
  /// True: adds a bias.
  bool use_bias = true;
  /// Steps attend only to steps at a smaller distance than this number of steps; unset: no limit.
  std::optional<std::int64_t> sliding_window = {};
  /// Initializer of the kernel.
  InitializerSpec kernel_initializer = "glorot_uniform";
  /// Initializer of the bias.
  InitializerSpec bias_initializer = "zeros";
  /// Penalty on the kernel; empty: none.
  RegularizerSpec kernel_regularizer = {};
  /// Penalty on the bias; empty: none.
  RegularizerSpec bias_regularizer = {};
  /// Penalty on the output and on that of each projection, added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Projection of the kernel after each update; empty: none.
  ConstraintSpec kernel_constraint = {};
  /// Projection of the bias after each update; empty: none.
  ConstraintSpec bias_constraint = {};
  /// True: multiplies the heads' outputs by the sigmoid of a further projection of the query.
  bool use_gate = false;
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(GroupQueryAttentionOptions, head_dim, num_query_heads, num_key_value_heads, dropout, use_bias,
             sliding_window, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
             activity_regularizer, kernel_constraint, bias_constraint, use_gate, seed, name, trainable, dtype)

/// MultiHeadAttention in which several query heads share one head of key and value.
///
/// Shapes:  query [batch, T, features], value and key [batch, S, features], attention_mask [batch, T, S] ->
///          [batch, T, features]; scores [batch, num_query_heads, T, S].
/// Errors:  InvalidArgument for options out of range, if num_key_value_heads does not divide num_query_heads,
///          for a number of inputs other than 2 to 4, and for different extents of value and key.
class GroupQueryAttention : public LayerHandle {
 public:
  explicit GroupQueryAttention(GroupQueryAttentionOptions options);
};

using GroupedQueryAttention = GroupQueryAttention;  // the class's internal name in Keras

}  // namespace cornu::inline v0::keras::layers
