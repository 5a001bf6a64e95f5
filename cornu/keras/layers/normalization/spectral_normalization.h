#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct SpectralNormalizationOptions {  // options/layers.toml
  /// Number of steps of the power iteration in a training call; must be positive.
  std::int64_t power_iterations = 1;
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
CORNU_FIELDS(SpectralNormalizationOptions, power_iterations, name, trainable, dtype, input_shape)

/// Divides a layer's kernel by its largest singular value in each training call, which limits the layer's
/// Lipschitz constant, as in discriminators of generative adversarial networks.
///
///     layers::SpectralNormalization(layers::Conv2D({.filters = 8, .kernel_size = 3}))
///
/// The kernel [..., n] as a matrix [rest, n] has the singular value s = v . kernel . transposed u, where u
/// and v follow from the vector_u before by power iteration. The layer's kernel and vector_u keep the new
/// values; a kernel of zeros is left as it is. Gradients are those with respect to the divided kernel. Other
/// calls leave the kernel.
/// Shapes:  those of the layer. Weights: the kernel, vector_u [1, n], which is not trained, then others.
/// Errors:  InvalidArgument unless power_iterations is positive; when building, if the layer has neither a
///          kernel nor embeddings of its own.
class SpectralNormalization : public LayerHandle {
 public:
  explicit SpectralNormalization(const LayerHandle& layer, const SpectralNormalizationOptions& options = {});
};

}  // namespace cornu::inline v0::keras::layers
