#pragma once

#include <cstdint>
#include <optional>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct LoraOptions {  // options/layers.toml
  /// Rank of the addition; must be positive.
  std::int64_t rank = 0;
  /// Numerator of the factor lora_alpha / rank of the product a . b; unset: the rank, so that the factor is
  /// 1.
  std::optional<double> lora_alpha = {};
  /// Initializer of the factor a, [its extents but the last..., rank].
  InitializerSpec a_initializer = "he_uniform";
  /// Initializer of the factor b, [rank, last extent]; zeros leave the layer's results unchanged at first.
  InitializerSpec b_initializer = "zeros";
};
CORNU_FIELDS(LoraOptions, rank, lora_alpha, a_initializer, b_initializer)

/// A layer whose large weight can be frozen and trained by an addition of low rank: Dense, EinsumDense,
/// Embedding, and the Conv layers.
class LoraHandle : public LayerHandle {
 public:
  using LayerHandle::LayerHandle;

  /// From now on the layer computes with weight + a . b * lora_alpha / rank. The weight is frozen; a ([its
  /// extents but the last..., rank]) and b ([rank, its last extent]) are trained: new f32 weights behind the
  /// others, "lora_kernel_a", "lora_kernel_b" (of an Embedding "lora_embeddings_a", "lora_embeddings_b"),
  /// with the weight's regularizer. Compile a model again behind it. The option lora_rank of the layers does
  /// the same when they are built; get_config() says it from then on.
  ///
  /// Keras's files (.keras, .weights.h5, .weights.json) hold the sum in the weight's place; a and b are zeros
  /// when one is read. All weights are kept by .h5, .safetensors, .npz and backups.
  /// Errors: InvalidArgument when the rank is not positive, the layer is not built yet, its weight has a
  ///         constraint, or it is done already.
  void enable_lora(const LoraOptions& options) const;
};

}  // namespace cornu::inline v0::keras::layers
