#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/reshaping/before_and_after.h"

namespace cornu::inline v0::keras::layers {

struct ZeroPaddingOptions {
  BeforeAndAfter padding = 1;    // how many zeros
  std::string data_format = {};  // "channels_last", which is meant when empty, or "channels_first"
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ZeroPaddingOptions, padding, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)
using ZeroPadding1DOptions = ZeroPaddingOptions;
using ZeroPadding2DOptions = ZeroPaddingOptions;
using ZeroPadding3DOptions = ZeroPaddingOptions;

/// Zeros before and after each spatial axis.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, before + spatial + after..., channels], or with the
///          channels first.
/// Errors:  InvalidArgument when padding is negative or not for so many axes, or data_format is unknown.
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
