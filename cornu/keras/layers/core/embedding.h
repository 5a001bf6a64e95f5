#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/core/lora.h"

namespace cornu::inline v0::keras::layers {

struct EmbeddingOptions {
  std::int64_t input_dim = 0;
  std::int64_t output_dim = 0;
  InitializerSpec embeddings_initializer = "uniform";
  RegularizerSpec embeddings_regularizer = {};
  ConstraintSpec embeddings_constraint = {};
  /// Id 0 stands for padding: the output carries a mask of the ids that are not 0.
  bool mask_zero = false;
  /// The initial table, [input_dim, output_dim]; the layer is then built at once.
  Tensor weights = {};
  /// Freezes the table and trains an addition of this rank; see LoraHandle.
  std::optional<std::int64_t> lora_rank = {};
  std::optional<double> lora_alpha = {};  // Keras 3.15 forgets it here, but not in enable_lora()
  /// Keras 1's and 2's; understood, and without effect.
  std::optional<std::int64_t> input_length = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(EmbeddingOptions, input_dim, output_dim, embeddings_initializer, embeddings_regularizer,
             embeddings_constraint, mask_zero, weights, lora_rank, lora_alpha, input_length,
             activity_regularizer, name, trainable, dtype, input_shape)

/// The rows of a trainable table by their ids.
///
/// Ids below 0 read row 0, ids from input_dim on the last row: nothing is ever read outside. (Keras on JAX
/// counts negative ids from the end and gives NaN for the others.) In a model that was compiled with
/// check_ids they are an error that names value and position. Floating-point ids are cut to integers, as in
/// Keras. The gradients of ids that repeat are summed, so an optimizer sees one gradient a row, zero for rows
/// that were not read; Adam moves those too, as it does in Keras on JAX.
/// Shapes:  [batch, ...] -> [batch, ..., output_dim]; embeddings [input_dim, output_dim].
/// Errors:  InvalidArgument when input_dim, output_dim or lora_rank is not positive, lora_rank stands beside
///          embeddings_constraint, or `weights` has another shape.
class Embedding : public LoraHandle {
 public:
  explicit Embedding(EmbeddingOptions options);
};

}  // namespace cornu::inline v0::keras::layers
