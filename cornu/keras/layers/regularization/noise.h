#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct GaussianNoiseOptions {  // options/layers.toml
  /// Standard deviation of the noise, in [0, 1].
  double stddev = 0.0;
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
CORNU_FIELDS(GaussianNoiseOptions, stddev, seed, activity_regularizer, name, trainable, dtype, input_shape)
/// During training, adds normal noise of mean 0; otherwise returns its input. The noise depends only on
/// (seed, step counter, row-major index), as in all layers below.
///
/// Shapes:  [batch, ...] -> the same.
/// Errors:  InvalidArgument unless 0 <= stddev <= 1.
class GaussianNoise : public LayerHandle {
 public:
  explicit GaussianNoise(GaussianNoiseOptions options);
};

struct GaussianDropoutOptions {  // options/layers.toml
  /// Drop rate of the Dropout with the same variance: the factor's variance is rate / (1 - rate); in [0, 1).
  double rate = 0.0;
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
CORNU_FIELDS(GaussianDropoutOptions, rate, seed, activity_regularizer, name, trainable, dtype, input_shape)
/// During training, multiplies by normal noise of mean 1 and variance rate / (1 - rate), the variance of
/// Dropout; otherwise returns its input.
///
/// Shapes:  [batch, ...] -> the same.
/// Errors:  InvalidArgument unless 0 <= rate < 1.
class GaussianDropout : public LayerHandle {
 public:
  explicit GaussianDropout(GaussianDropoutOptions options);
};

struct AlphaDropoutOptions {  // options/layers.toml
  /// Share of elements that are set to selu's negative limit while training, in [0, 1).
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
CORNU_FIELDS(AlphaDropoutOptions, rate, noise_shape, seed, activity_regularizer, name, trainable, dtype,
             input_shape)
/// During training, sets elements to the saturation value of selu with probability `rate`, then scales and
/// shifts all elements so that mean 0 and variance 1 are kept; otherwise returns its input.
///
/// Shapes:  [batch, ...] -> the same; noise_shape broadcasts to it.
/// Errors:  InvalidArgument unless 0 <= rate < 1 and noise_shape fits the input.
class AlphaDropout : public LayerHandle {
 public:
  explicit AlphaDropout(AlphaDropoutOptions options);
};

}  // namespace cornu::inline v0::keras::layers
