#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/reshaping/before_and_after.h"

namespace cornu::inline v0::keras::layers {

struct Cropping1DOptions {  // options/layers.toml
  /// Steps removed at each end: one number for both, or {before, after}.
  BeforeAndAfter cropping = 1;
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
CORNU_FIELDS(Cropping1DOptions, cropping, activity_regularizer, name, trainable, dtype, input_shape)
struct Cropping2DOptions {  // options/layers.toml
  /// Elements removed: a number for all sides, one number an axis, or a pair (before, after) an axis.
  BeforeAndAfter cropping = 0;
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
CORNU_FIELDS(Cropping2DOptions, cropping, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)
struct Cropping3DOptions {  // options/layers.toml
  /// Elements removed: a number for all sides, one number an axis, or a pair (before, after) an axis.
  BeforeAndAfter cropping = 1;
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
CORNU_FIELDS(Cropping3DOptions, cropping, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)

/// Removes elements at the beginning and end of each spatial axis.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, spatial - before - after..., channels], or with the
///          channels first (not in 1D).
/// Errors:  InvalidArgument if cropping is negative or has a wrong number of axes, the result would be empty,
///          or data_format is unknown.
class Cropping1D : public LayerHandle {
 public:
  explicit Cropping1D(Cropping1DOptions options = {});
  explicit Cropping1D(NoOptions) : Cropping1D() {}
};
class Cropping2D : public LayerHandle {
 public:
  explicit Cropping2D(Cropping2DOptions options = {});
  explicit Cropping2D(NoOptions) : Cropping2D() {}
};
class Cropping3D : public LayerHandle {
 public:
  explicit Cropping3D(Cropping3DOptions options = {});
  explicit Cropping3D(NoOptions) : Cropping3D() {}
};

}  // namespace cornu::inline v0::keras::layers
