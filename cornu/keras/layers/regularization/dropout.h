#pragma once

#include <optional>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct DropoutOptions {
  double rate = 0.0;
  /// Extents of the mask of what falls out, kUnknown: the input's; 1: the axis falls out as a whole.
  /// {kUnknown, 1, kUnknown} drops features.
  OptionalDims noise_shape = {};
  std::optional<std::uint64_t> seed = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(DropoutOptions, rate, noise_shape, seed, activity_regularizer, name, trainable, dtype,
             input_shape)

/// While training, sets each element to 0 with probability `rate` and divides the others by 1 - rate; else
/// passes through.
///
/// Which elements fall out depends on (seed, step counter, row-major index) only, so padding rows shift
/// nothing.
/// Errors: InvalidArgument unless 0 <= rate <= 1 and noise_shape fits the input.
class Dropout : public LayerHandle {
 public:
  explicit Dropout(DropoutOptions options);
};

}  // namespace cornu::inline v0::keras::layers
