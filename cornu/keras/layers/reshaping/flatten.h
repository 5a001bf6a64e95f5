#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct FlattenOptions {
  /// "channels_last", also where it is empty, or "channels_first": then channels go last before flattening.
  std::string data_format = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(FlattenOptions, data_format, activity_regularizer, name, trainable, dtype, input_shape)

/// [batch, d1, d2, ...] -> [batch, d1 * d2 * ...]; [batch] -> [batch, 1].
class Flatten : public LayerHandle {
 public:
  explicit Flatten(FlattenOptions options = {});
  explicit Flatten(NoOptions) : Flatten() {}
};

}  // namespace cornu::inline v0::keras::layers
