#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct AdaptivePoolingOptions {  // options/layers.toml
  /// Number of windows along each spatial axis: one number, or one an axis; required, positive and at most
  /// the extents.
  ops::IntOrInts output_size = 0;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
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
CORNU_FIELDS(AdaptivePoolingOptions, output_size, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)
using AdaptiveMaxPooling1DOptions = AdaptivePoolingOptions;
using AdaptiveMaxPooling2DOptions = AdaptivePoolingOptions;
using AdaptiveMaxPooling3DOptions = AdaptivePoolingOptions;
using AdaptiveAveragePooling1DOptions = AdaptivePoolingOptions;
using AdaptiveAveragePooling2DOptions = AdaptivePoolingOptions;
using AdaptiveAveragePooling3DOptions = AdaptivePoolingOptions;

/// The maximum of each of a given number of windows, for each channel.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, output_size..., channels], or with the channels first. Window i
///          of n begins at floor(i * extent / n) and ends before ceil((i + 1) * extent / n).
/// Errors:  InvalidArgument unless output_size is positive and at most the extents; for another rank.
class AdaptiveMaxPooling1D : public LayerHandle {
 public:
  explicit AdaptiveMaxPooling1D(AdaptiveMaxPooling1DOptions options);
};
class AdaptiveMaxPooling2D : public LayerHandle {
 public:
  explicit AdaptiveMaxPooling2D(AdaptiveMaxPooling2DOptions options);
};
class AdaptiveMaxPooling3D : public LayerHandle {
 public:
  explicit AdaptiveMaxPooling3D(AdaptiveMaxPooling3DOptions options);
};

/// The mean of each of a given number of windows, for each channel. Shapes and errors: those of AdaptiveMaxPooling.
class AdaptiveAveragePooling1D : public LayerHandle {
 public:
  explicit AdaptiveAveragePooling1D(AdaptiveAveragePooling1DOptions options);
};
class AdaptiveAveragePooling2D : public LayerHandle {
 public:
  explicit AdaptiveAveragePooling2D(AdaptiveAveragePooling2DOptions options);
};
class AdaptiveAveragePooling3D : public LayerHandle {
 public:
  explicit AdaptiveAveragePooling3D(AdaptiveAveragePooling3DOptions options);
};

}  // namespace cornu::inline v0::keras::layers
