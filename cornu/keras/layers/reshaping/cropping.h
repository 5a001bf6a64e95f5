#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/reshaping/before_and_after.h"

namespace cornu::inline v0::keras::layers {

struct Cropping1DOptions {
  BeforeAndAfter cropping = 1;  // how many elements
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(Cropping1DOptions, cropping, activity_regularizer, name, trainable, dtype, input_shape)
struct Cropping2DOptions {
  BeforeAndAfter cropping = 0;
  std::string data_format = {};  // "channels_last", which is meant when empty, or "channels_first"
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(Cropping2DOptions, cropping, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)
struct Cropping3DOptions {
  BeforeAndAfter cropping = 1;
  std::string data_format = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(Cropping3DOptions, cropping, data_format, activity_regularizer, name, trainable, dtype,
             input_shape)

/// Without elements at the beginning and end of each spatial axis.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, spatial - before - after..., channels], or with the
///          channels first (not in 1D).
/// Errors:  InvalidArgument when cropping is negative or not for so many axes, nothing would be left, or
///          data_format is unknown.
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
