#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/utils/bounding_boxes.h"
#include "cornu/tensor/tensor.h"

/// keras.visualization: pictures of what models find in images.
///
/// Images are [batch, rows, columns, 3], or with data_format "channels_first" [batch, 3, rows, columns].
/// Values of floating-point images are in [0, 255].
namespace cornu::inline v0::keras::visualization {

/// Red, green and blue, from 0 to 255.
using Color = std::array<std::uint8_t, 3>;

struct DrawBoundingBoxesOptions {  // options/functions.toml
  /// Color of the frames.
  Color color = {128, 128, 128};
  /// Width of lines in pixels; must be positive.
  std::int64_t line_thickness = 2;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
};

/// Images, as uint8, with the frames of boxes in the format `bounding_box_format`; boxes with the label -1 are
/// left out. A floating-point batch whose largest value is at most 1 counts as [0, 1], as in Keras. Lines are
/// centered on the boxes' edges; names of classes are not written, as Keras does with OpenCV.
/// Errors: InvalidArgument for images of other shapes, boxes that are not [batch, boxes, 4], labels that are
///         not [batch, boxes], and those of utils::bounding_boxes::convert_format.
Tensor draw_bounding_boxes(const Tensor& images, const utils::bounding_boxes::BoundingBoxes& bounding_boxes,
                           const StringArgument& bounding_box_format,
                           const DrawBoundingBoxesOptions& options = {});

struct DrawSegmentationMasksOptions {  // options/functions.toml
  /// Number of classes; unset: the largest id.
  std::optional<std::int64_t> num_classes = {};
  /// Colors of the classes from 0 on; empty: those of Keras.
  std::vector<Color> color_mapping = {};
  /// Share of the colors in the mixture, in [0, 1].
  double alpha = 0.8;
  /// True: mixes colors with the images; false: replaces pixels.
  bool blend = true;
  /// Id of pixels that stay as they are.
  std::int64_t ignore_index = -1;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
};

/// Images with the colors of the classes in masks [batch, rows, columns] or [batch, rows, columns, 1] of
/// integers, as uint8, or as float32 without blending. Ids from num_classes on have no color: without
/// num_classes that is the largest id, as in Keras.
/// Errors: InvalidArgument for images and masks of other shapes, masks that are not integers, and fewer colors
///         than classes.
Tensor draw_segmentation_masks(const Tensor& images, const Tensor& segmentation_masks,
                               const DrawSegmentationMasksOptions& options = {});

}  // namespace cornu::inline v0::keras::visualization
