#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// One number of pool_size and strides stands for all spatial axes.
struct MaxPoolingOptions {  // options/layers.toml
  /// Spatial extents of the window: one number, or one an axis; must be positive.
  ops::IntOrInts pool_size = 2;
  /// Distance of neighbouring windows in elements: one number, or one an axis; unset: pool_size.
  ops::OptionalIntOrInts strides = {};
  /// "valid": only whole windows; "same": the output has ceil(input / stride) elements. Padding never counts.
  std::string padding = "valid";
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
CORNU_FIELDS(MaxPoolingOptions, pool_size, strides, padding, data_format, activity_regularizer, name,
             trainable, dtype, input_shape)
using MaxPooling1DOptions = MaxPoolingOptions;
using MaxPooling2DOptions = MaxPoolingOptions;
using MaxPooling3DOptions = MaxPoolingOptions;

/// The maximum of each window, for each channel. The gradient goes to the first of equal elements.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, windows..., channels], or with the channels first.
///          Padding never counts.
/// Errors:  InvalidArgument if pool_size or strides is not positive, a padding or data_format is unknown, or
///          a window is larger than the input ("valid").
class MaxPooling1D : public LayerHandle {
 public:
  explicit MaxPooling1D(MaxPooling1DOptions options = {});
  explicit MaxPooling1D(NoOptions) : MaxPooling1D() {}
};
class MaxPooling2D : public LayerHandle {
 public:
  explicit MaxPooling2D(MaxPooling2DOptions options = {});
  explicit MaxPooling2D(NoOptions) : MaxPooling2D() {}
};
class MaxPooling3D : public LayerHandle {
 public:
  explicit MaxPooling3D(MaxPooling3DOptions options = {});
  explicit MaxPooling3D(NoOptions) : MaxPooling3D() {}
};
using MaxPool1D = MaxPooling1D;
using MaxPool2D = MaxPooling2D;
using MaxPool3D = MaxPooling3D;

struct AveragePoolingOptions {  // options/layers.toml
  /// Spatial extents of the window: one number, or one an axis; must be positive.
  ops::IntOrInts pool_size = 0;
  /// Distance of neighbouring windows in elements: one number, or one an axis; unset: pool_size.
  ops::OptionalIntOrInts strides = {};
  /// "valid": only whole windows; "same": the output has ceil(input / stride) elements. Padding never counts.
  std::string padding = "valid";
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
CORNU_FIELDS(AveragePoolingOptions, pool_size, strides, padding, data_format, activity_regularizer, name,
             trainable, dtype, input_shape)
using AveragePooling1DOptions = AveragePoolingOptions;
using AveragePooling2DOptions = AveragePoolingOptions;
using AveragePooling3DOptions = AveragePoolingOptions;

/// The mean of each window; with padding "same", of the window's elements inside the input. Shapes and
/// errors: those of MaxPooling.
class AveragePooling1D : public LayerHandle {
 public:
  explicit AveragePooling1D(AveragePooling1DOptions options);
};
class AveragePooling2D : public LayerHandle {
 public:
  explicit AveragePooling2D(AveragePooling2DOptions options);
};
class AveragePooling3D : public LayerHandle {
 public:
  explicit AveragePooling3D(AveragePooling3DOptions options);
};
using AvgPool1D = AveragePooling1D;
using AvgPool2D = AveragePooling2D;
using AvgPool3D = AveragePooling3D;

}  // namespace cornu::inline v0::keras::layers
