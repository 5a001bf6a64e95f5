#pragma once

#include <optional>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct DropoutOptions {  // options/layers.toml
  /// Share of elements that are dropped while training, in [0, 1].
  double rate = 0.0;
  /// Shape of the dropout mask: kUnknown is the input's extent, 1 drops the axis as a whole; unset: the
  /// input's shape. {kUnknown, 1, kUnknown} drops features.
  OptionalDims noise_shape = {};
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
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
CORNU_FIELDS(DropoutOptions, rate, noise_shape, seed, activity_regularizer, name, trainable, dtype,
             input_shape)

/// During training, sets each element to 0 with probability `rate` and divides the others by 1 - rate;
/// otherwise returns its input.
///
/// The choice of elements depends only on (seed, step counter, row-major index), so padding rows do not
/// change it.
///
/// Shapes:  [batch, ...] -> the same; noise_shape broadcasts to it.
/// Errors:  InvalidArgument unless 0 <= rate <= 1 and noise_shape fits the input.
class Dropout : public LayerHandle {
 public:
  explicit Dropout(DropoutOptions options);
};

}  // namespace cornu::inline v0::keras::layers
