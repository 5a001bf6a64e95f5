#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct AttentionOptions {  // options/layers.toml
  /// True: multiplies the scores by a trained number, which starts at 1.
  bool use_scale = false;
  /// Attention score: "dot", or "concat" for the sum of tanh(query + key).
  std::string score_mode = "dot";
  /// Share of the attention scores that are dropped while training, in [0, 1].
  double dropout = 0.0;
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(AttentionOptions, use_scale, score_mode, dropout, seed, activity_regularizer, name, trainable,
             dtype)

/// Dot-product attention: softmax(scale * query . key) . value, by Luong. With score_mode "concat" the scores
/// are weight * sum(tanh(scale * (query + key))).
///
///     attention({query, value});         // the keys are the values
///     attention({query, value, key});
///
/// Shapes:  query [batch, T, features], value [batch, S, width], key [batch, S, features] -> [batch, T,
///          width]; with return_attention_scores a second output [batch, T, S].
/// Masks:   masked steps of the value get no attention; outputs for masked steps of the query are 0; the
///          output has the query's mask.
/// Errors:  InvalidArgument for an unknown score_mode, a dropout outside [0, 1], and a number of inputs other
///          than 2 or 3.
class Attention : public LayerHandle {
 public:
  explicit Attention(AttentionOptions options = {});
  explicit Attention(NoOptions) : Attention() {}
};

struct AdditiveAttentionOptions {  // options/layers.toml
  /// True: multiplies the tanh of each feature by a trained weight.
  bool use_scale = true;
  /// Share of the attention scores that are dropped while training, in [0, 1].
  double dropout = 0.0;
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(AdditiveAttentionOptions, use_scale, dropout, seed, activity_regularizer, name, trainable, dtype)

/// The same with the scores sum(scale * tanh(query + key)) over the features, by Bahdanau.
///
/// Shapes:  those of Attention; scale [features], if use_scale is set.
class AdditiveAttention : public LayerHandle {
 public:
  explicit AdditiveAttention(AdditiveAttentionOptions options = {});
  explicit AdditiveAttention(NoOptions) : AdditiveAttention() {}
};

}  // namespace cornu::inline v0::keras::layers
