#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct MaskingOptions {  // options/layers.toml
  /// Value of all features of a masked step: a number, or a tensor that broadcasts to the input.
  Tensor mask_value = 0.0;
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
CORNU_FIELDS(MaskingOptions, mask_value, activity_regularizer, name, trainable, dtype, input_shape)

/// Masks the steps all of whose features equal mask_value, and sets them to 0. Replaces a mask that the input
/// carries.
///
/// Shapes:  [batch, time, ..., features] -> the same; mask: without the features.
class Masking : public LayerHandle {
 public:
  explicit Masking(MaskingOptions options = {});
  explicit Masking(NoOptions) : Masking() {}
};

}  // namespace cornu::inline v0::keras::layers
