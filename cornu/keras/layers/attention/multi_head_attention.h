#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

struct MultiHeadAttentionOptions {  // options/layers.toml
  /// Number of attention heads; must be positive.
  std::int64_t num_heads = 0;
  /// Number of features of each head's queries and keys; must be positive.
  std::int64_t key_dim = 0;
  /// Number of features of each head's values; unset: key_dim.
  std::optional<std::int64_t> value_dim = {};
  /// Share of the attention scores that are dropped while training, in [0, 1].
  double dropout = 0.0;
  /// True: adds a bias.
  bool use_bias = true;
  /// Features of a step of the output; unset: those of a step of the query.
  OptionalDims output_shape = {};
  /// Axes that attend to each other; empty: all between the batch and the features.
  ops::Axes attention_axes = {};
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
  /// Penalty on the output of each projection, added to the loss; empty: none.
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
CORNU_FIELDS(MultiHeadAttentionOptions, num_heads, key_dim, value_dim, dropout, use_bias, output_shape,
             attention_axes, sliding_window, kernel_initializer, bias_initializer, kernel_regularizer,
             bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, use_gate, seed, name,
             trainable, dtype)

/// Projects its inputs, computes softmax(q . k / sqrt(key_dim)) . v for each head, and projects the result.
///
///     attention({query, value});                             // the keys are the values
///     attention({query, value, key, attention_mask});        // true where a step may attend
///     attention({{"query", query}, {"value", value}, {"attention_mask", attention_mask}});
///     attention({x, x}, {.use_causal_mask = true});
///     attention.call_many({x, x}, {.return_attention_scores = true});
///
/// Shapes:  query [batch, T, ...], value and key [batch, S, ...], attention_mask [batch, T, S] or with the
///          heads between -> [batch, T, output_shape...]; scores [batch, heads, T, S]. T and S may be several
///          axes.
/// Masks:   those of query, value and key, attention_mask, the causal mask and the window are combined; the
///          output has the query's mask.
/// Errors:  InvalidArgument for options out of range, a number of inputs other than 2 to 4, and different
///          extents of value and key.
class MultiHeadAttention : public LayerHandle {
 public:
  explicit MultiHeadAttention(MultiHeadAttentionOptions options);
};

}  // namespace cornu::inline v0::keras::layers
