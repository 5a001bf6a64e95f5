#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/tensor.h"

/// keras.utils.bounding_boxes: conversion and comparison of boxes in images.
///
/// Boxes are [boxes, 4] or [batch, boxes, 4] in one of the formats "xyxy" (left, top, right, bottom), "yxyx"
/// (top, left, bottom, right), "xywh" (left, top, width, height), "center_xywh" and "center_yxhw" (center and
/// size), or "rel_xyxy", "rel_yxyx", "rel_xywh" and "rel_center_xywh", the same as shares of the image's
/// width and height. Upper case in a format is accepted.
/// Errors: InvalidArgument for an unknown format, boxes whose last extent is not 4, and a relative format
///         without the image's size.
namespace cornu::inline v0::keras::utils::bounding_boxes {

/// The boxes of images and their labels, [boxes] or [batch, boxes]; a label below 0 marks a box that does not
/// count.
struct BoundingBoxes {
  Tensor boxes;
  Tensor labels = {};  // undefined: none
};

/// {rows, columns} of an image, and any further extents, as Keras's image_shape has the channels.
using ImageShape = Dims;

struct ConvertFormatOptions {  // options/functions.toml
  /// Rows of the image; unset: no box is relative.
  std::optional<double> height = {};
  /// Columns of the image; unset: no box is relative.
  std::optional<double> width = {};
  /// Dtype of the result.
  DType dtype = DType::kF32;
};

/// Boxes of the format `source` in the format `target`.
Tensor convert_format(const Tensor& boxes, const StringArgument& source, const StringArgument& target,
                      const ConvertFormatOptions& options = {});
/// The boxes in the format `target`, with their labels.
BoundingBoxes convert_format(const BoundingBoxes& boxes, const StringArgument& source,
                             const StringArgument& target, const ConvertFormatOptions& options = {});

struct ClipToImageSizeOptions {  // options/functions.toml
  /// Rows of the image; unset: no box is relative.
  std::optional<double> height = {};
  /// Columns of the image; unset: no box is relative.
  std::optional<double> width = {};
  /// Format of the boxes: "xyxy" or "rel_xyxy".
  std::string bounding_box_format = "xyxy";
};

/// Cuts boxes at the image's edges; a box of which nothing is left gets the label -1.
/// Errors: InvalidArgument for formats other than "xyxy" and "rel_xyxy", and for "xyxy" without a size.
BoundingBoxes clip_to_image_size(const BoundingBoxes& boxes, const ClipToImageSizeOptions& options = {});

struct AffineTransformBoxesOptions {  // options/functions.toml
  /// Rotation of each image in degrees, [batch]; required.
  Tensor angle;
  /// Shift to the right as a share of the width, [batch]; required.
  Tensor translate_x;
  /// Shift down as a share of the height, [batch]; required.
  Tensor translate_y;
  /// Factor of the size, [batch]; required.
  Tensor scale;
  /// Shear along x in degrees, [batch]; required.
  Tensor shear_x;
  /// Shear along y in degrees, [batch]; required.
  Tensor shear_y;
  /// Rows of the image.
  std::int64_t height = 0;
  /// Columns of the image.
  std::int64_t width = 0;
  /// Column of the center as a share of the width.
  double center_x = 0.5;
  /// Row of the center as a share of the height.
  double center_y = 0.5;
  /// Format of the boxes; must be "xyxy".
  std::string bounding_box_format = "xyxy";
};

/// The boxes around affinely moved boxes [batch, boxes, 4], one transformation for each image.
/// Errors: InvalidArgument for boxes without a batch, and for parameters other than [batch].
Tensor affine_transform(const Tensor& boxes, const AffineTransformBoxesOptions& options);

struct CropBoxesOptions {  // options/functions.toml
  /// First row of the part.
  std::int64_t top = 0;
  /// First column of the part.
  std::int64_t left = 0;
  /// Rows of the part.
  std::int64_t height = 0;
  /// Columns of the part.
  std::int64_t width = 0;
  /// Format of the boxes; must be "xyxy".
  std::string bounding_box_format = "xyxy";
};

/// Boxes "xyxy" in the coordinates of a part of the image, cut at the part's edges.
Tensor crop(const Tensor& boxes, const CropBoxesOptions& options);

struct PadBoxesOptions {  // options/functions.toml
  /// Rows above.
  std::int64_t top = 0;
  /// Columns before.
  std::int64_t left = 0;
  /// Format of the boxes; must be "xyxy".
  std::string bounding_box_format = "xyxy";
};

/// Boxes "xyxy" in the coordinates of an image with rows above and columns before.
Tensor pad(const Tensor& boxes, const PadBoxesOptions& options);

struct BoxDeltaOptions {  // options/functions.toml
  /// Order of the deltas: "center_xywh" or "center_yxhw".
  std::string encoding_format = "center_yxhw";
  /// Numbers by which the deltas are divided; unset: 1 each.
  std::optional<std::array<double, 4>> variance = {};
  /// Shape {rows, columns, ...} of the image; unset: no box is relative.
  std::optional<ImageShape> image_shape = {};
};

/// The distance of boxes [..., boxes, 4] from anchors [boxes, 4] of the same number: the centers' difference
/// as shares of the anchor's size, and the logarithms of the sizes' quotients.
/// Errors: InvalidArgument for encodings other than "center_xywh" and "center_yxhw".
Tensor encode_box_to_deltas(const Tensor& anchors, const Tensor& boxes, const StringArgument& anchor_format,
                            const StringArgument& box_format, const BoxDeltaOptions& options = {});
/// The boxes at these distances from anchors, in the format `box_format`: the inverse of
/// encode_box_to_deltas.
/// Errors: those of encode_box_to_deltas.
Tensor decode_deltas_to_boxes(const Tensor& anchors, const Tensor& boxes_delta,
                              const StringArgument& anchor_format, const StringArgument& box_format,
                              const BoxDeltaOptions& options = {});

struct ComputeIouOptions {  // options/functions.toml
  /// True: pairs with a box whose numbers are all below 0 get mask_val.
  bool use_masking = false;
  /// Result for masked boxes.
  double mask_val = -1;
  /// Shape {rows, columns, ...} of the image; unset: no box is relative.
  std::optional<ImageShape> image_shape = {};
};

/// The areas that pairs of boxes share, as shares of their unions: [boxes1, boxes2] or [batch, boxes1,
/// boxes2].
/// Errors: InvalidArgument for boxes of other than 2 or 3 axes.
Tensor compute_iou(const Tensor& boxes1, const Tensor& boxes2, const StringArgument& bounding_box_format,
                   const ComputeIouOptions& options = {});

struct ComputeCiouOptions {  // options/functions.toml
  /// Shape {rows, columns, ...} of the image; unset: no box is relative.
  std::optional<ImageShape> image_shape = {};
};

/// The complete IoU of boxes with the boxes at the same places, [...]: the IoU less penalties for the
/// distance of the centers and for the difference of the aspect ratios.
/// Errors: InvalidArgument for relative formats, as in Keras.
Tensor compute_ciou(const Tensor& boxes1, const Tensor& boxes2, const StringArgument& bounding_box_format,
                    const ComputeCiouOptions& options = {});

}  // namespace cornu::inline v0::keras::utils::bounding_boxes
