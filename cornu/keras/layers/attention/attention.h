#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct AttentionOptions {
  bool use_scale = false;
  std::string score_mode = "dot";  // or "concat"
  double dropout = 0;
  std::optional<std::uint64_t> seed = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
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
/// Shapes:  query [batch, T, features], value [batch, S, width], key [batch, S, features]
///          -> [batch, T, width]; with return_attention_scores a second output [batch, T, S].
/// Masks:   steps that the value's mask leaves out get no attention, those that the query's leaves out are 0;
///          the output has the query's.
/// Errors:  InvalidArgument for another score_mode, a dropout outside [0, 1], and other numbers of inputs
///          than 2 or 3.
class Attention : public LayerHandle {
 public:
  explicit Attention(AttentionOptions options = {});
  explicit Attention(NoOptions) : Attention() {}
};

struct AdditiveAttentionOptions {
  bool use_scale = true;
  double dropout = 0;
  std::optional<std::uint64_t> seed = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(AdditiveAttentionOptions, use_scale, dropout, seed, activity_regularizer, name, trainable, dtype)

/// The same with the scores sum(scale * tanh(query + key)) over the features, by Bahdanau.
class AdditiveAttention : public LayerHandle {
 public:
  explicit AdditiveAttention(AdditiveAttentionOptions options = {});
  explicit AdditiveAttention(NoOptions) : AdditiveAttention() {}
};

}  // namespace cornu::inline v0::keras::layers
