#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct FlattenOptions {  // options/layers.toml
  /// "channels_last", or "channels_first", which moves the channels to the end before flattening; empty:
  /// "channels_last".
  std::string data_format = {};
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
CORNU_FIELDS(FlattenOptions, data_format, activity_regularizer, name, trainable, dtype, input_shape)

/// Joins all axes except the batch.
///
/// Shapes:  [batch, d1, d2, ...] -> [batch, d1 * d2 * ...]; [batch] -> [batch, 1].
class Flatten : public LayerHandle {
 public:
  explicit Flatten(FlattenOptions options = {});
  explicit Flatten(NoOptions) : Flatten() {}
};

}  // namespace cornu::inline v0::keras::layers
