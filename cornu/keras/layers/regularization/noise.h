#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct GaussianNoiseOptions {
  double stddev = 0.0;
  std::optional<std::uint64_t> seed = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(GaussianNoiseOptions, stddev, seed, activity_regularizer, name, trainable, dtype, input_shape)
/// While training, adds normal noise of mean 0; else passes through. The noise follows from (seed, step
/// counter, row-major index) only, as that of all layers below.
/// Errors: InvalidArgument unless 0 <= stddev <= 1.
class GaussianNoise : public LayerHandle {
 public:
  explicit GaussianNoise(GaussianNoiseOptions options);
};

struct GaussianDropoutOptions {
  double rate = 0.0;
  std::optional<std::uint64_t> seed = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(GaussianDropoutOptions, rate, seed, activity_regularizer, name, trainable, dtype, input_shape)
/// While training, multiplies by normal noise of mean 1 and variance rate / (1 - rate), which is that of
/// Dropout; else passes through.
/// Errors: InvalidArgument unless 0 <= rate < 1.
class GaussianDropout : public LayerHandle {
 public:
  explicit GaussianDropout(GaussianDropoutOptions options);
};

struct AlphaDropoutOptions {
  double rate = 0.0;
  /// As Dropout's.
  OptionalDims noise_shape = {};
  std::optional<std::uint64_t> seed = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(AlphaDropoutOptions, rate, noise_shape, seed, activity_regularizer, name, trainable, dtype,
             input_shape)
/// While training, sets elements to the value where selu saturates, with probability `rate`, then scales and
/// shifts all so that mean 0 and variance 1 stay; else passes through.
/// Errors: InvalidArgument unless 0 <= rate < 1 and noise_shape fits the input.
class AlphaDropout : public LayerHandle {
 public:
  explicit AlphaDropout(AlphaDropoutOptions options);
};

}  // namespace cornu::inline v0::keras::layers
