#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/keras/quantizers/quantizers.h"

namespace cornu::inline v0::keras::layers {

struct EmbeddingOptions {  // options/layers.toml
  /// Number of rows of the table: ids are in [0, input_dim); must be positive.
  std::int64_t input_dim = 0;
  /// Number of elements of a vector; must be positive.
  std::int64_t output_dim = 0;
  /// Initializer of the table, [input_dim, output_dim].
  InitializerSpec embeddings_initializer = "uniform";
  /// Penalty on the table; empty: none.
  RegularizerSpec embeddings_regularizer = {};
  /// Projection of the table after each update; empty: none.
  ConstraintSpec embeddings_constraint = {};
  /// True: id 0 is padding, and the output carries a mask of the other ids.
  bool mask_zero = false;
  /// Initial table, [input_dim, output_dim], which builds the layer at once; undefined:
  /// embeddings_initializer.
  Tensor weights = {};
  /// Rank of a trained low-rank addition to the table, which is then frozen (LoraHandle); unset: none.
  std::optional<std::int64_t> lora_rank = {};
  /// Numerator of the factor lora_alpha / rank of the low-rank product; unset: the rank, so that the factor
  /// is 1.
  std::optional<double> lora_alpha = {};
  /// Quantizers of a layer whose policy is quantized, such as "int8_from_float32"; unset: the default ones of
  /// the policy. After quantize() get_config() contains the configuration given there.
  QuantizationConfigSpec quantization_config = {};
  /// Accepted for programs of Keras 1 and 2; has no effect.
  std::optional<std::int64_t> input_length = {};
  /// Storage of the table over the replicas of a strategy: "replicated" (each has the whole), "row_wise"
  /// (each has consecutive rows), "row_wise_modulo" (each has every N-th row, which spreads frequent ids
  /// where neighbours are alike) or "column_wise" (each has consecutive columns); "auto": by rows if the
  /// tables in the scope of the strategy take more than a quarter of the memory of a device. No effect
  /// without a strategy.
  std::string sharding = "replicated";
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(EmbeddingOptions, input_dim, output_dim, embeddings_initializer, embeddings_regularizer,
             embeddings_constraint, mask_zero, weights, lora_rank, lora_alpha, quantization_config,
             input_length, sharding, activity_regularizer, name, trainable, dtype, input_shape)

/// Looks up the rows of a trainable table by ids.
///
/// Ids below 0 read row 0, and ids from input_dim on read the last row: no access is out of bounds. (Keras on
/// JAX counts negative ids from the end and returns NaN for the others.) In a model compiled with check_ids
/// such ids are an error that names value and position. Floating-point ids are truncated to integers, as in
/// Keras. Gradients of repeated ids are summed, so that an optimizer gets one gradient for each row, zero for
/// rows that were not read; Adam also moves those, as in Keras on JAX.
/// Shapes:  [batch, ...] -> [batch, ..., output_dim]; embeddings [input_dim, output_dim].
/// Errors:  InvalidArgument if input_dim, output_dim or lora_rank is not positive, lora_rank is combined with
///          embeddings_constraint, or `weights` has another shape.
class Embedding : public LoraHandle {
 public:
  explicit Embedding(EmbeddingOptions options);
};

struct ReversibleEmbeddingOptions {  // options/layers.toml
  /// Number of rows of the table: ids are in [0, input_dim); must be positive.
  std::int64_t input_dim = 0;
  /// Number of elements of a vector; must be positive.
  std::int64_t output_dim = 0;
  /// True: a reverse call multiplies by the transposed table; false: by a weight of its own,
  /// "reverse_embeddings" [output_dim, input_dim].
  bool tie_weights = true;
  /// Initializer of the table, [input_dim, output_dim].
  InitializerSpec embeddings_initializer = "uniform";
  /// Penalty on the table; empty: none.
  RegularizerSpec embeddings_regularizer = {};
  /// Projection of the table after each update; empty: none.
  ConstraintSpec embeddings_constraint = {};
  /// True: id 0 is padding, and the output carries a mask of the other ids.
  bool mask_zero = false;
  /// Dtype of the product and the result of a reverse call; unset: the compute dtype.
  std::optional<DType> reverse_dtype = {};
  /// Bound c of the logits of a reverse call, which become c * tanh(logits / c); unset: none.
  std::optional<double> logit_soft_cap = {};
  /// Initial table, [input_dim, output_dim], which builds the layer at once; undefined:
  /// embeddings_initializer.
  Tensor weights = {};
  /// Rank of a trained low-rank addition to the table, which is then frozen (LoraHandle); unset: none.
  std::optional<std::int64_t> lora_rank = {};
  /// Numerator of the factor lora_alpha / rank of the low-rank product; unset: the rank, so that the factor
  /// is 1.
  std::optional<double> lora_alpha = {};
  /// Quantizers of a layer whose policy is quantized, such as "int8_from_float32"; unset: the default ones of
  /// the policy. After quantize() get_config() contains the configuration given there.
  QuantizationConfigSpec quantization_config = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ReversibleEmbeddingOptions, input_dim, output_dim, tie_weights, embeddings_initializer,
             embeddings_regularizer, embeddings_constraint, mask_zero, reverse_dtype, logit_soft_cap, weights,
             lora_rank, lora_alpha, quantization_config, activity_regularizer, name, trainable, dtype,
             input_shape)

/// An Embedding that also projects features back to the numbers of rows of its table, for language models.
///
///     layers::ReversibleEmbedding embedding({.input_dim = 1000, .output_dim = 64});
///     KerasTensor x = embedding(tokens);                           // [batch, time, 64]
///     KerasTensor logits = embedding(hidden, {.reverse = true});  // [batch, time, 1000]
///
/// A reverse call gives x . transposed embeddings, or with tie_weights = false x . reverse_embeddings.
/// Shapes:  [batch, ...] -> [batch, ..., output_dim]; with reverse [batch, ..., output_dim] ->
///          [batch, ..., input_dim].
/// Errors:  those of Embedding; InvalidArgument unless logit_soft_cap is positive, and for a reverse call on
///          another number of features.
class ReversibleEmbedding : public LoraHandle {
 public:
  explicit ReversibleEmbedding(ReversibleEmbeddingOptions options);
};

}  // namespace cornu::inline v0::keras::layers
