#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct UpSampling1DOptions {
  std::int64_t size = 2;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(UpSampling1DOptions, size, activity_regularizer, name, trainable, dtype, input_shape)
struct UpSampling2DOptions {
  ops::IntOrInts size = 2;
  std::string data_format = {};           // "channels_last", which is meant when empty, or "channels_first"
  std::string interpolation = "nearest";  // or "bilinear", "bicubic", "lanczos3", "lanczos5"
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(UpSampling2DOptions, size, data_format, interpolation, activity_regularizer, name, trainable,
             dtype, input_shape)
struct UpSampling3DOptions {
  ops::IntOrInts size = 2;
  std::string data_format = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(UpSampling3DOptions, size, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)

/// Each spatial axis `size` times as long: elements are repeated, or (2D) interpolated between their centres.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, spatial * size..., channels], or with the channels first
///          (not in 1D).
/// Errors:  InvalidArgument when size is not positive, an interpolation or data_format is unknown.
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
