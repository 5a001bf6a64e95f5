#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct RescalingOptions {
  Tensor scale = {};  // a number, or values that broadcast to the input
  Tensor offset = 0.0;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RescalingOptions, scale, offset, activity_regularizer, name, trainable, dtype, input_shape)
/// input * scale + offset in the layer's dtype, integers too: `Rescaling({.scale = 1 / 255.0})` for images.
/// Errors: InvalidArgument without a scale, and when scale or offset does not broadcast.
class Rescaling : public LayerHandle {
 public:
  explicit Rescaling(RescalingOptions options);
};

}  // namespace cornu::inline v0::keras::layers
