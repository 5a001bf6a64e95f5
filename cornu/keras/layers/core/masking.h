#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct MaskingOptions {
  /// What a step is filled with that does not count: a number, or a tensor that broadcasts to the input.
  Tensor mask_value = 0.0;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(MaskingOptions, mask_value, activity_regularizer, name, trainable, dtype, input_shape)

/// Masks the steps all of whose features equal mask_value, and sets them to 0. A mask that the input carries
/// is replaced.
///
/// Shapes:  [batch, time, ..., features] -> the same; mask: without the features.
class Masking : public LayerHandle {
 public:
  explicit Masking(MaskingOptions options = {});
  explicit Masking(NoOptions) : Masking() {}
};

}  // namespace cornu::inline v0::keras::layers
