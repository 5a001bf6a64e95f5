#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

struct ResizingOptions {  // options/layers.toml
  /// Height of the result in pixels; must be positive.
  std::int64_t height = 0;
  /// Width of the result in pixels; must be positive.
  std::int64_t width = 0;
  /// "bilinear", "nearest", "bicubic", "lanczos3" or "lanczos5".
  std::string interpolation = "bilinear";
  /// True: cuts the image to the target's aspect ratio before resizing; not with pad_to_aspect_ratio.
  bool crop_to_aspect_ratio = false;
  /// True: pads the image to the target's aspect ratio before resizing; not with crop_to_aspect_ratio.
  bool pad_to_aspect_ratio = false;
  /// Filling of the padding with pad_to_aspect_ratio; must be "constant".
  std::string fill_mode = "constant";
  /// Value of the padding with pad_to_aspect_ratio.
  double fill_value = 0.0;
  /// True: shrinking averages over the source pixels that a target pixel covers.
  bool antialias = false;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
  std::string bounding_box_format = {};
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
CORNU_FIELDS(ResizingOptions, height, width, interpolation, crop_to_aspect_ratio, pad_to_aspect_ratio,
             fill_mode, fill_value, antialias, data_format, bounding_box_format, name, trainable, dtype,
             input_shape)

/// Resizes images. Pixels of integer types are rounded and keep their type.
///
/// Shapes:  [batch, rows, columns, channels] or one image -> [batch, height, width, channels].
/// Errors:  InvalidArgument unless height and width are positive, for an unknown interpolation, for both
///          cropping and padding, and for images without rows or columns.
/// Source:  Keras, jax.image.resize.
class Resizing : public ImageHandle {
 public:
  explicit Resizing(ResizingOptions options);
};

struct CenterCropOptions {  // options/layers.toml
  /// Height of the result in pixels; must be positive.
  std::int64_t height = 0;
  /// Width of the result in pixels; must be positive.
  std::int64_t width = 0;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
  std::string bounding_box_format = {};
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
CORNU_FIELDS(CenterCropOptions, height, width, data_format, bounding_box_format, name, trainable, dtype,
             input_shape)

/// Crops images at their center; images that are smaller in a direction are cropped to the largest box of the
/// new shape and resized.
///
/// Shapes:  those of Resizing.
/// Errors:  InvalidArgument unless height and width are positive, and for images without rows or columns.
class CenterCrop : public ImageHandle {
 public:
  explicit CenterCrop(CenterCropOptions options);
};

}  // namespace cornu::inline v0::keras::layers
