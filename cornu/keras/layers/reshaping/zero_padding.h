#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/reshaping/before_and_after.h"

namespace cornu::inline v0::keras::layers {

struct ZeroPaddingOptions {  // options/layers.toml
  /// Zeros added: a number for all sides, one number an axis, or a pair (before, after) an axis.
  BeforeAndAfter padding = 1;
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
CORNU_FIELDS(ZeroPaddingOptions, padding, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)
using ZeroPadding1DOptions = ZeroPaddingOptions;
using ZeroPadding2DOptions = ZeroPaddingOptions;
using ZeroPadding3DOptions = ZeroPaddingOptions;

/// Adds zeros before and after each spatial axis.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, before + spatial + after..., channels], or with the
///          channels first.
/// Errors:  InvalidArgument if padding is negative or has a wrong number of axes, or data_format is unknown.
class ZeroPadding1D : public LayerHandle {
 public:
  explicit ZeroPadding1D(ZeroPadding1DOptions options = {});
  explicit ZeroPadding1D(NoOptions) : ZeroPadding1D() {}
};
class ZeroPadding2D : public LayerHandle {
 public:
  explicit ZeroPadding2D(ZeroPadding2DOptions options = {});
  explicit ZeroPadding2D(NoOptions) : ZeroPadding2D() {}
};
class ZeroPadding3D : public LayerHandle {
 public:
  explicit ZeroPadding3D(ZeroPadding3DOptions options = {});
  explicit ZeroPadding3D(NoOptions) : ZeroPadding3D() {}
};

}  // namespace cornu::inline v0::keras::layers
