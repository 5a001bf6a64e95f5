#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

struct MaxNumBoundingBoxesOptions {  // options/layers.toml
  /// Number of boxes of the result; must be positive.
  std::int64_t max_number = 0;
  /// Value of the boxes and labels that are added.
  std::int64_t fill_value = -1;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name, which is not looked at.
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
CORNU_FIELDS(MaxNumBoundingBoxesOptions, max_number, fill_value, data_format, bounding_box_format, name,
             trainable, dtype, input_shape)

/// Gives each image the same number of bounding boxes: further ones are dropped, missing ones are added with
/// fill_value in boxes and labels. Images alone pass unchanged. Elements by name are taken, too (see ImageHandle).
///
///     const std::vector<Tensor> data =
///         layers::MaxNumBoundingBoxes({.max_number = 10}).call_many({images, boxes, labels});
///
/// Shapes:  {images, boxes [batch, boxes, 4], labels [batch, boxes]} -> the same with max_number boxes
/// Errors:  InvalidArgument unless max_number is positive, and for boxes and labels of other shapes.
class MaxNumBoundingBoxes : public ImageHandle {
 public:
  explicit MaxNumBoundingBoxes(MaxNumBoundingBoxesOptions options);
};

}  // namespace cornu::inline v0::keras::layers
