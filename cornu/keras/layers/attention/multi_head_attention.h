#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

struct MultiHeadAttentionOptions {
  std::int64_t num_heads = 0;
  std::int64_t key_dim = 0;
  std::optional<std::int64_t> value_dim = {};  // key_dim
  double dropout = 0;
  bool use_bias = true;
  /// Of a step of the output; unset: as a step of the query.
  OptionalDims output_shape = {};
  /// The axes that are attended over; none: all between the batch and the features.
  ops::Axes attention_axes = {};
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
CORNU_FIELDS(MultiHeadAttentionOptions, num_heads, key_dim, value_dim, dropout, use_bias, output_shape,
             attention_axes, sliding_window, kernel_initializer, bias_initializer, kernel_regularizer,
             bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, use_gate, seed, name,
             trainable, dtype)

/// softmax(q . k / sqrt(key_dim)) . v for each head, of projections of its inputs, projected again.
///
///     attention({query, value});                             // the keys are the values
///     attention({query, value, key, attention_mask});        // true where a step may look
///     attention({{"query", query}, {"value", value}, {"attention_mask", attention_mask}});
///     attention({x, x}, {.use_causal_mask = true});
///     attention.call_many({x, x}, {.return_attention_scores = true});
///
/// Shapes:  query [batch, T, ...], value and key [batch, S, ...], attention_mask [batch, T, S] or with the
///          heads between -> [batch, T, output_shape...]; scores [batch, heads, T, S]. T and S may be several
///          axes.
/// Masks:   of the query, value and key, attention_mask, the causal one and the window hold together; the
///          output has the query's.
/// Errors:  InvalidArgument for options out of range, other numbers of inputs than 2 to 4, and extents
///          of value and key that differ.
class MultiHeadAttention : public LayerHandle {
 public:
  explicit MultiHeadAttention(MultiHeadAttentionOptions options);
};

}  // namespace cornu::inline v0::keras::layers
