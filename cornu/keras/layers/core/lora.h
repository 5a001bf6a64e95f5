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

/// A layer whose large weight can be frozen and trained by a low-rank addition (LoRA): Dense, EinsumDense,
/// Embedding, and the Conv layers.
class LoraHandle : public LayerHandle {
 public:
  using LayerHandle::LayerHandle;

  /// Replaces the weight in the computation by weight + a . b * lora_alpha / rank. The weight is frozen; a
  /// ([its extents but the last..., rank]) and b ([rank, its last extent]) are trained. They are new f32
  /// weights after the others, "lora_kernel_a" and "lora_kernel_b" (for an Embedding "lora_embeddings_a" and
  /// "lora_embeddings_b"), with the weight's regularizer. Compile the model again afterwards. The option
  /// lora_rank of the layers does the same when they are built; get_config() contains it from then on.
  ///
  /// Keras's files (.keras, .weights.h5, .weights.json) contain the sum in place of the weight; a and b are
  /// zero after reading. Other formats (.h5, .safetensors, .npz, backups) contain all weights.
  /// Errors: InvalidArgument if the rank is not positive, the layer is not built yet, its weight has a
  ///         constraint, or LoRA is enabled already.
  void enable_lora(const LoraOptions& options) const;
};

}  // namespace cornu::inline v0::keras::layers
