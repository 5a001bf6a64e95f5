#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

/// Layers of the networks in keras.applications, for files that contain them. As in Keras, they are internal
/// to those networks: layers.h does not include them. Fields are in the order of Keras's files. Source:
/// keras/src/applications of Keras 3.15.1.
namespace cornu::inline v0::keras::layers {

struct LayerScaleOptions {
  double init_values = 1e-6;
  std::int64_t projection_dim = 1;
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(LayerScaleOptions, name, trainable, dtype, init_values, projection_dim)
/// ConvNeXt's scale of a block's features: x * gamma, a weight of shape (projection_dim,).
class LayerScale : public LayerHandle {
 public:
  explicit LayerScale(const LayerScaleOptions& options);
};

struct StochasticDepthOptions {
  double drop_path_rate = 0;
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(StochasticDepthOptions, name, trainable, dtype, drop_path_rate)
/// ConvNeXt's dropout of whole examples during training; the other examples are divided by 1 -
/// drop_path_rate.
/// Errors: InvalidArgument unless 0 <= drop_path_rate <= 1.
class StochasticDepth : public LayerHandle {
 public:
  explicit StochasticDepth(const StochasticDepthOptions& options);
};

struct CustomScaleLayerOptions {
  double scale = 1;
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(CustomScaleLayerOptions, name, trainable, dtype, scale)
/// InceptionResNetV2's residual: of two inputs of one shape, the first plus `scale` times the second.
/// Errors: InvalidArgument for another number of inputs.
class CustomScaleLayer : public LayerHandle {
 public:
  explicit CustomScaleLayer(const CustomScaleLayerOptions& options);
};

}  // namespace cornu::inline v0::keras::layers
