#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct TimeDistributedOptions {  // options/layers.toml
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
CORNU_FIELDS(TimeDistributedOptions, activity_regularizer, name, trainable, dtype, input_shape)

/// Applies a layer to every step of a sequence, with the same weights.
///
///     layers::TimeDistributed(layers::Dense({.units = 8}))
///
/// The steps are computed together, as rows of one batch, if the result is proven to be the same. The proof
/// traces the layer's call twice for each type of input, and discards the traces. Otherwise the steps are
/// computed one after the other, as in Keras:
/// * if the layer may compute over the rows of a batch together (a softmax along axis 0, a crop at one
///   position for the whole batch), or cannot be traced;
/// * if training changes the layer's state (BatchNormalization), and for stateful layers;
/// * for dropout with a noise_shape that fixes the batch;
/// * for inner layers with an activity_regularizer, which add a loss for each step.
/// The layer's own activity_regularizer adds nothing, as in Keras; a call's add_loss() adds one loss for all
/// steps that are computed together. The layer gets each step with its part of the mask.
///
/// Shapes:  [batch, time, ...] -> [batch, time, output of the layer for ...].
/// Errors:  InvalidArgument for inputs of rank below 3, a sequence without steps, and a mask that is not
///          [batch, time, ...].
class TimeDistributed : public LayerHandle {
 public:
  explicit TimeDistributed(const LayerHandle& layer, const TimeDistributedOptions& options = {});
};

}  // namespace cornu::inline v0::keras::layers
