#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct GlobalPoolingOptions {  // options/layers.toml
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// True: keeps the spatial axes, with extent 1.
  bool keepdims = false;
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
CORNU_FIELDS(GlobalPoolingOptions, data_format, keepdims, activity_regularizer, name, trainable, dtype,
             input_shape)
using GlobalMaxPooling1DOptions = GlobalPoolingOptions;
using GlobalMaxPooling2DOptions = GlobalPoolingOptions;
using GlobalMaxPooling3DOptions = GlobalPoolingOptions;
using GlobalAveragePooling1DOptions = GlobalPoolingOptions;
using GlobalAveragePooling2DOptions = GlobalPoolingOptions;
using GlobalAveragePooling3DOptions = GlobalPoolingOptions;

/// The maximum of each channel.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, channels], or with the channels first.
/// Errors:  InvalidArgument for an unknown data_format, another rank, or a spatial extent of 0.
class GlobalMaxPooling1D : public LayerHandle {
 public:
  explicit GlobalMaxPooling1D(GlobalMaxPooling1DOptions options = {});
  explicit GlobalMaxPooling1D(NoOptions) : GlobalMaxPooling1D() {}
};
class GlobalMaxPooling2D : public LayerHandle {
 public:
  explicit GlobalMaxPooling2D(GlobalMaxPooling2DOptions options = {});
  explicit GlobalMaxPooling2D(NoOptions) : GlobalMaxPooling2D() {}
};
class GlobalMaxPooling3D : public LayerHandle {
 public:
  explicit GlobalMaxPooling3D(GlobalMaxPooling3DOptions options = {});
  explicit GlobalMaxPooling3D(NoOptions) : GlobalMaxPooling3D() {}
};
using GlobalMaxPool1D = GlobalMaxPooling1D;
using GlobalMaxPool2D = GlobalMaxPooling2D;
using GlobalMaxPool3D = GlobalMaxPooling3D;

/// The mean of each channel. In 1D only unmasked steps count (a row without any gives NaN, as in Keras); the
/// output has no mask. Shapes and errors: those of GlobalMaxPooling.
class GlobalAveragePooling1D : public LayerHandle {
 public:
  explicit GlobalAveragePooling1D(GlobalAveragePooling1DOptions options = {});
  explicit GlobalAveragePooling1D(NoOptions) : GlobalAveragePooling1D() {}
};
class GlobalAveragePooling2D : public LayerHandle {
 public:
  explicit GlobalAveragePooling2D(GlobalAveragePooling2DOptions options = {});
  explicit GlobalAveragePooling2D(NoOptions) : GlobalAveragePooling2D() {}
};
class GlobalAveragePooling3D : public LayerHandle {
 public:
  explicit GlobalAveragePooling3D(GlobalAveragePooling3DOptions options = {});
  explicit GlobalAveragePooling3D(NoOptions) : GlobalAveragePooling3D() {}
};
using GlobalAvgPool1D = GlobalAveragePooling1D;
using GlobalAvgPool2D = GlobalAveragePooling2D;
using GlobalAvgPool3D = GlobalAveragePooling3D;

}  // namespace cornu::inline v0::keras::layers
