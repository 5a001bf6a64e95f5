#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct RescalingOptions {  // options/layers.toml
  /// Factor: a number, or values that broadcast to the input; with config::image_data_format()
  /// "channels_first", values of fewer than three axes are of the channels; required.
  Tensor scale = {};
  /// Number, or values that broadcast to the input, added after scaling.
  Tensor offset = 0.0;
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
CORNU_FIELDS(RescalingOptions, scale, offset, activity_regularizer, name, trainable, dtype, input_shape)
/// input * scale + offset in the layer's dtype, also for integers: `Rescaling({.scale = 1 / 255.0})` for
/// images.
///
/// Shapes:  any -> the same; scale and offset broadcast to it.
/// Errors:  InvalidArgument without a scale, and if scale or offset does not broadcast.
class Rescaling : public LayerHandle {
 public:
  explicit Rescaling(RescalingOptions options);
};

}  // namespace cornu::inline v0::keras::layers
