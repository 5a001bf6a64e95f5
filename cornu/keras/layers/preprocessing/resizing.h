#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct ResizingOptions {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::string interpolation = "bilinear";  // "nearest", "bicubic", "lanczos3" or "lanczos5"
  bool crop_to_aspect_ratio = false;
  bool pad_to_aspect_ratio = false;
  std::string fill_mode = "constant";
  double fill_value = 0.0;
  bool antialias = false;
  std::string data_format = {};  // "channels_last", which is the default, or "channels_first"
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ResizingOptions, height, width, interpolation, crop_to_aspect_ratio, pad_to_aspect_ratio,
             fill_mode, fill_value, antialias, data_format, name, trainable, dtype, input_shape)

/// Images in another size. Pixels of integer types are rounded and keep their type.
///
/// Shapes:  [batch, rows, columns, channels] or one image -> [batch, height, width, channels].
/// Errors:  InvalidArgument unless height and width are positive, for an unknown interpolation, where both
///          cropping and padding are asked for, and for images without rows or columns.
/// Source:  Keras, jax.image.resize.
class Resizing : public LayerHandle {
 public:
  explicit Resizing(ResizingOptions options);
};

struct CenterCropOptions {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::string data_format = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(CenterCropOptions, height, width, data_format, name, trainable, dtype, input_shape)

/// The middle of images; of those that are smaller in a direction, the largest
/// part of the new shape, resized.
///
/// Shapes:  as Resizing.
/// Errors:  InvalidArgument unless height and width are positive, and for images without rows or columns.
class CenterCrop : public LayerHandle {
 public:
  explicit CenterCrop(CenterCropOptions options);
};

}  // namespace cornu::inline v0::keras::layers
