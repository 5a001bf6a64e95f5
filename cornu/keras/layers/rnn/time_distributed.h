#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct TimeDistributedOptions {
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(TimeDistributedOptions, activity_regularizer, name, trainable, dtype, input_shape)

/// Applies a layer to every step of a sequence, with the same weights.
///
///     layers::TimeDistributed(layers::Dense({.units = 8}))
///
/// Shapes:  [batch, time, ...] -> [batch, time, what the layer makes of ...]. The steps are computed
/// together, as rows of one batch; one after the other, as in Keras, where training changes the layer's state
/// (BatchNormalization), for stateful layers, dropout with a noise_shape that says the batch, and layers
/// inside the layer that have an activity_regularizer, which add a loss a step. The layer's own
/// activity_regularizer adds nothing, as in Keras; a call's add_loss() adds one loss for all steps.
/// Errors:  InvalidArgument for inputs of rank below 3, a sequence without steps, and a mask that is not
///          [batch, time, ...].
class TimeDistributed : public LayerHandle {
 public:
  explicit TimeDistributed(const LayerHandle& layer, const TimeDistributedOptions& options = {});
};

}  // namespace cornu::inline v0::keras::layers
