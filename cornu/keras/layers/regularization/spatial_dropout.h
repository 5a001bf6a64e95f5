#pragma once

#include <string_view>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct SpatialDropout1DOptions {  // options/layers.toml
  /// Share of features that are dropped while training, in [0, 1].
  double rate = 0.0;
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
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
CORNU_FIELDS(SpatialDropout1DOptions, rate, seed, name, trainable, dtype, input_shape)

struct SpatialDropoutOptions {  // options/layers.toml
  /// Share of channels that are dropped while training, in [0, 1].
  double rate = 0.0;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
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
CORNU_FIELDS(SpatialDropoutOptions, rate, data_format, seed, name, trainable, dtype, input_shape)

/// Dropout of whole features: all steps of a row's channel are dropped together.
///
/// Shapes:  [batch, time, channels] -> the same.
/// Errors:  InvalidArgument unless 0 <= rate <= 1 and the input has 3 dimensions.
class SpatialDropout1D : public LayerHandle {
 public:
  explicit SpatialDropout1D(SpatialDropout1DOptions options);
};

/// Dropout of whole channels of images.
///
/// Shapes:  [batch, height, width, channels] or, with channels_first, [batch, channels, height, width] -> the
///          same.
/// Errors:  InvalidArgument unless 0 <= rate <= 1, the input has 4 dimensions and data_format is one of the
///          two.
class SpatialDropout2D : public LayerHandle {
 public:
  explicit SpatialDropout2D(SpatialDropoutOptions options);
};

/// Dropout of whole channels of volumes.
///
/// Shapes:  [batch, depth, height, width, channels] or, with channels_first, [batch, channels, depth, height,
///          width] -> the same.
/// Errors:  those of SpatialDropout2D, with 5 dimensions.
class SpatialDropout3D : public LayerHandle {
 public:
  explicit SpatialDropout3D(SpatialDropoutOptions options);
};

}  // namespace cornu::inline v0::keras::layers
