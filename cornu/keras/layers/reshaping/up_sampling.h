#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct UpSampling1DOptions {  // options/layers.toml
  /// Number of copies of each step; must be positive.
  std::int64_t size = 2;
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
CORNU_FIELDS(UpSampling1DOptions, size, activity_regularizer, name, trainable, dtype, input_shape)
struct UpSampling2DOptions {  // options/layers.toml
  /// Number of output elements for each input element: one number, or one an axis; must be positive.
  ops::IntOrInts size = 2;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// "nearest", "bilinear", "bicubic", "lanczos3" or "lanczos5".
  std::string interpolation = "nearest";
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
CORNU_FIELDS(UpSampling2DOptions, size, data_format, interpolation, activity_regularizer, name, trainable,
             dtype, input_shape)
struct UpSampling3DOptions {  // options/layers.toml
  /// Number of output elements for each input element: one number, or one an axis; must be positive.
  ops::IntOrInts size = 2;
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
CORNU_FIELDS(UpSampling3DOptions, size, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)

/// Makes each spatial axis `size` times as long: elements are repeated, or (2D) interpolated between their
/// centers.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, spatial * size..., channels], or with the channels first
///          (not in 1D).
/// Errors:  InvalidArgument if size is not positive, an interpolation or data_format is unknown.
class UpSampling1D : public LayerHandle {
 public:
  explicit UpSampling1D(UpSampling1DOptions options = {});
  explicit UpSampling1D(NoOptions) : UpSampling1D() {}
};
class UpSampling2D : public LayerHandle {
 public:
  explicit UpSampling2D(UpSampling2DOptions options = {});
  explicit UpSampling2D(NoOptions) : UpSampling2D() {}
};
class UpSampling3D : public LayerHandle {
 public:
  explicit UpSampling3D(UpSampling3DOptions options = {});
  explicit UpSampling3D(NoOptions) : UpSampling3D() {}
};

}  // namespace cornu::inline v0::keras::layers
