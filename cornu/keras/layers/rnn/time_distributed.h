#pragma once

#include "cornu/keras/layer.h"

namespace cornu::inline v0::keras::layers {

struct TimeDistributedOptions {
  std::string name = {};
  bool trainable = true;
  std::optional<DType> dtype = {};
  std::optional<Dims> input_shape = {};
};

/// Applies a layer to every step of a sequence, with the same weights.
///
///     layers::TimeDistributed(layers::Dense({.units = 8}))
///
/// Shapes:  [batch, time, ...] -> [batch, time, what the layer makes of ...].
/// The steps are computed together, as rows of one batch; only where training changes the layer's state (BatchNormalization) one after
/// the other, as in Keras.
/// Errors:  InvalidArgument for inputs of rank below 3, and a mask that is not [batch, time, ...].
class TimeDistributed : public LayerHandle {
 public:
  explicit TimeDistributed(const LayerHandle& layer, const TimeDistributedOptions& options = {});
};

}  // namespace cornu::inline v0::keras::layers
