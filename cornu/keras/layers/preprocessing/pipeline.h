#pragma once

#include <vector>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

struct PipelineOptions {  // options/layers.toml
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(PipelineOptions, name, trainable, dtype)

/// Applies layers one after the other, for example to augment the images of a data set:
///
///     const layers::Pipeline augment({layers::RandomFlip(), layers::RandomZoom({.height_factor = 0.2})});
///     data.map([&](const Tensor& x) { return augment(x); });
///
/// Unlike a Sequential it is no model, and a call outside of any other call is a training call unless it sets
/// `training = false`. Layers are built by their first call.
/// Elements by name pass through each layer; see ImageHandle.
/// Errors: InvalidArgument for an empty handle.
class Pipeline : public ImageHandle {
 public:
  explicit Pipeline(std::vector<LayerHandle> layers, const PipelineOptions& options = {});
};

}  // namespace cornu::inline v0::keras::layers
