#pragma once

#include <string_view>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct SpatialDropout1DOptions {
  double rate = 0.0;
  std::optional<std::uint64_t> seed = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(SpatialDropout1DOptions, rate, seed, name, trainable, dtype, input_shape)

struct SpatialDropoutOptions {
  double rate = 0.0;
  std::string data_format = {};  // "channels_last", which is the default, or "channels_first"
  std::optional<std::uint64_t> seed = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(SpatialDropoutOptions, rate, data_format, seed, name, trainable, dtype, input_shape)

/// Dropout of whole features: all steps of a row's channel fall out together.
///
/// Shapes:  [batch, time, channels] -> the same.
/// Errors:  InvalidArgument unless 0 <= rate <= 1 and the input has 3 dimensions.
class SpatialDropout1D : public LayerHandle {
 public:
  explicit SpatialDropout1D(SpatialDropout1DOptions options);
};

/// Dropout of whole images of a channel.
///
/// Shapes:  [batch, height, width, channels] or, with channels_first, [batch, channels, height, width] -> the
///          same.
/// Errors:  InvalidArgument unless 0 <= rate <= 1, the input has 4 dimensions and data_format is one of both.
class SpatialDropout2D : public LayerHandle {
 public:
  explicit SpatialDropout2D(SpatialDropoutOptions options);
};

/// Dropout of whole volumes of a channel.
///
/// Shapes:  [batch, depth, height, width, channels] or, with channels_first, [batch, channels, depth, height,
///          width] -> the same.
/// Errors:  as SpatialDropout2D's, with 5 dimensions.
class SpatialDropout3D : public LayerHandle {
 public:
  explicit SpatialDropout3D(SpatialDropoutOptions options);
};

}  // namespace cornu::inline v0::keras::layers
