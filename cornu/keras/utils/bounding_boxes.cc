#include "cornu/keras/utils/bounding_boxes.h"

#include <algorithm>
#include <cctype>
#include <numbers>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/epsilon.h"

namespace cornu::inline v0::keras::utils::bounding_boxes {
namespace {

/// Left, top, right and bottom, each [..., 1].
struct Corners {
  Tensor left, top, right, bottom;
};

struct Size {
  std::optional<double> height, width;
};

constexpr std::string_view kRelative = "rel_";
constexpr const char* kFormats[] = {"xyxy",     "yxyx",     "xywh",     "center_xywh",    "center_yxhw",
                                    "rel_xyxy", "rel_yxyx", "rel_xywh", "rel_center_xywh"};

std::string known_format(const char* caller, const char* argument, const std::string& given) {
  std::string format = given;
  for (char& c : format) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(std::begin(kFormats), std::end(kFormats), format) == std::end(kFormats))
    invalid_argument({.argument = argument}, "[{}] {} must be one of {}; got \"{}\"", caller, argument,
                     fmt::join(kFormats, ", "), given);
  return format;
}

void check_boxes(const char* caller, const char* argument, const Tensor& boxes) {
  if (boxes.rank() < 1 || boxes.shape().back() != 4)
    invalid_argument({.argument = argument}, "[{}] {} must have a last axis of 4 numbers; got shape {}",
                     caller, argument, ir::shape_str(boxes.shape()));
}

void require_corners(const char* caller, const std::string& format) {
  if (format != "xyxy")
    invalid_argument({.argument = "bounding_box_format"},
                     "[{}] bounding_box_format must be \"xyxy\": convert boxes by convert_format; got \"{}\"",
                     caller, format);
}

Size size_of(const char* caller, const std::optional<ImageShape>& image_shape) {
  if (!image_shape.has_value()) return {};
  if (image_shape->size() < 2)
    invalid_argument({.argument = "image_shape"},
                     "[{}] image_shape must be {{rows, columns, channels}}; got {}", caller,
                     ir::shape_str(*image_shape));
  return {static_cast<double>((*image_shape)[0]), static_cast<double>((*image_shape)[1])};
}

Tensor joined(const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d) {
  return ops::concatenate({a, b, c, d}, -1);
}
Tensor joined(const Corners& corners) {
  return joined(corners.left, corners.top, corners.right, corners.bottom);
}

Corners corners_of(const Tensor& boxes) {
  const std::vector<Tensor> parts = ops::split(boxes, 4, -1);
  return {parts[0], parts[1], parts[2], parts[3]};
}

/// The corners of boxes of a format without "rel_".
Corners corners_of(const Tensor& boxes, std::string_view format) {
  const std::vector<Tensor> p = ops::split(boxes, 4, -1);
  if (format == "yxyx") return {p[1], p[0], p[3], p[2]};
  if (format == "xywh") return {p[0], p[1], p[0] + p[2], p[1] + p[3]};
  const auto around = [](const Tensor& x, const Tensor& y, const Tensor& width, const Tensor& height) {
    const Tensor half_width = width / 2.0, half_height = height / 2.0;
    return Corners{x - half_width, y - half_height, x + half_width, y + half_height};
  };
  if (format == "center_xywh") return around(p[0], p[1], p[2], p[3]);
  if (format == "center_yxhw") return around(p[1], p[0], p[3], p[2]);
  return {p[0], p[1], p[2], p[3]};
}

/// Boxes of a format without "rel_" from corners.
Tensor boxes_of(const Corners& c, std::string_view format) {
  if (format == "yxyx") return joined(c.top, c.left, c.bottom, c.right);
  if (format == "xyxy") return joined(c);
  const Tensor width = c.right - c.left, height = c.bottom - c.top;
  if (format == "xywh") return joined(c.left, c.top, width, height);
  const Tensor x = c.left + width / 2.0, y = c.top + height / 2.0;
  return format == "center_xywh" ? joined(x, y, width, height) : joined(y, x, height, width);
}

Corners scaled(const Corners& c, double x, double y) {
  return {c.left * x, c.top * y, c.right * x, c.bottom * y};
}
Corners divided(const Corners& c, double x, double y) {
  return {c.left / x, c.top / y, c.right / x, c.bottom / y};
}

Tensor area_of(const Corners& c) {
  return ops::squeeze((c.right - c.left) * (c.bottom - c.top), {.axis = -1});
}

/// The number of rows and columns by which relative coordinates are multiplied.
std::pair<double, double> known_size(const char* caller, const Size& size, const std::string& source,
                                     const std::string& target) {
  if (!size.height.has_value() || !size.width.has_value())
    invalid_argument({.argument = "height"},
                     "[{}] height and width are needed to convert \"{}\" to \"{}\"; set both", caller, source,
                     target);
  return {*size.height, *size.width};
}

Tensor converted(const char* caller, const Tensor& given, const std::string& given_source,
                 const std::string& given_target, const Size& size, DType dtype) {
  check_boxes(caller, "boxes", given);
  const std::string source = known_format(caller, "source", given_source),
                    target = known_format(caller, "target", given_target);
  const Tensor boxes = ops::cast(given, dtype);
  const bool from_shares = source.starts_with(kRelative), to_shares = target.starts_with(kRelative);
  if (from_shares || to_shares) known_size(caller, size, source, target);
  if (source == target) return boxes;
  const auto plain = [](std::string_view format) {
    return format.starts_with(kRelative) ? format.substr(kRelative.size()) : format;
  };
  Corners corners = corners_of(boxes, plain(source));
  if (from_shares && !to_shares) corners = scaled(corners, *size.width, *size.height);
  if (to_shares && !from_shares) corners = divided(corners, *size.width, *size.height);
  return boxes_of(corners, plain(target));
}

Corners clipped(const Corners& c, double width, double height) {
  return {ops::clip(c.left, 0, width), ops::clip(c.top, 0, height), ops::clip(c.right, 0, width),
          ops::clip(c.bottom, 0, height)};
}

/// The upper two rows of the matrices [batch, 3, 3] that move points as the image's inverse transformation
/// does: {a0, a1, a2, b0, b1, b2}, each [batch].
std::array<Tensor, 6> affine_rows(const AffineTransformBoxesOptions& o) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  const double right = static_cast<double>(o.width - 1), bottom = static_cast<double>(o.height - 1);
  const double center_x = o.center_x * right, center_y = o.center_y * bottom;
  const Tensor turn = ops::negative(o.angle) * kDegree;
  const Tensor shear_x = ops::negative(o.shear_x) * kDegree, shear_y = ops::negative(o.shear_y) * kDegree;
  const Tensor moved_x = ops::negative(o.translate_x) * right + center_x,
               moved_y = ops::negative(o.translate_y) * bottom + center_y;
  const Tensor cosine = ops::cos(shear_y), tangent = ops::tan(shear_x), rest = turn - shear_y;
  const Tensor a = ops::cos(rest) / cosine;
  const Tensor b = a * tangent + ops::sin(turn);
  const Tensor c = ops::negative(ops::sin(rest)) / cosine;
  const Tensor d = ops::cos(turn) - c * tangent;
  const Tensor a0 = d * o.scale, a1 = ops::negative(b) * o.scale;
  const Tensor b0 = ops::negative(c) * o.scale, b1 = a * o.scale;
  return {a0, a1, center_x - a0 * moved_x - a1 * moved_y, b0, b1, center_y - b0 * moved_x - b1 * moved_y};
}

std::string encoding_of(const char* caller, const std::string& given) {
  if (given != "center_xywh" && given != "center_yxhw")
    invalid_argument({.argument = "encoding_format"},
                     "[{}] encoding_format must be \"center_xywh\" or \"center_yxhw\"; got \"{}\"", caller,
                     given);
  return given;
}

/// The centers and the sizes of boxes, each [..., 2].
std::pair<Tensor, Tensor> centers_and_sizes(const Tensor& boxes) {
  const std::vector<Tensor> halves = ops::split(boxes, 2, -1);
  return {halves[0], halves[1]};
}

Tensor variances(const std::array<double, 4>& variance) {
  return Tensor(std::vector<float>(variance.begin(), variance.end()));
}

}  // namespace

Tensor convert_format(const Tensor& boxes, const StringArgument& source, const StringArgument& target,
                      const ConvertFormatOptions& options) {
  return converted("convert_format", boxes, source, target, {options.height, options.width}, options.dtype);
}

BoundingBoxes convert_format(const BoundingBoxes& boxes, const StringArgument& source,
                             const StringArgument& target, const ConvertFormatOptions& options) {
  return {convert_format(boxes.boxes, source, target, options), boxes.labels};
}

BoundingBoxes clip_to_image_size(const BoundingBoxes& boxes, const ClipToImageSizeOptions& options) {
  constexpr const char* kCaller = "clip_to_image_size";
  check_boxes(kCaller, "boxes", boxes.boxes);
  const bool is_relative = options.bounding_box_format == "rel_xyxy";
  if (!is_relative && options.bounding_box_format != "xyxy")
    invalid_argument({.argument = "bounding_box_format"},
                     "[{}] bounding_box_format must be \"xyxy\" or \"rel_xyxy\"; got \"{}\"", kCaller,
                     options.bounding_box_format);
  if (!is_relative && (!options.height.has_value() || !options.width.has_value()))
    invalid_argument({.argument = "height"}, "[{}] height and width are needed for the format \"xyxy\"",
                     kCaller);
  const Corners cut =
      clipped(corners_of(boxes.boxes), is_relative ? 1 : *options.width, is_relative ? 1 : *options.height);
  BoundingBoxes result = {joined(cut), boxes.labels};
  if (result.labels.defined()) result.labels = ops::where(ops::greater(area_of(cut), 0), result.labels, -1);
  return result;
}

Tensor affine_transform(const Tensor& boxes, const AffineTransformBoxesOptions& options) {
  constexpr const char* kCaller = "affine_transform";
  require_corners(kCaller, options.bounding_box_format);
  check_boxes(kCaller, "boxes", boxes);
  if (boxes.rank() != 3)
    invalid_argument({.argument = "boxes"}, "[{}] boxes must be [batch, boxes, 4]; got shape {}", kCaller,
                     ir::shape_str(boxes.shape()));
  for (const Tensor& each : {options.angle, options.translate_x, options.translate_y, options.scale,
                             options.shear_x, options.shear_y})
    if (!each.defined() || each.shape() != Dims{boxes.shape()[0]})
      invalid_argument(
          {.argument = "angle"},
          "[{}] angle, translate_x, translate_y, scale, shear_x and shear_y must be [batch], one "
          "number for each of {} images",
          kCaller, boxes.shape()[0]);
  const std::array<Tensor, 6> rows = affine_rows(options);
  const auto row = [&](std::size_t i) { return ops::expand_dims(rows[i], {1, 2}); };
  const Corners c = corners_of(ops::cast(boxes, rows[0].dtype()));
  const Tensor x = ops::concatenate({c.left, c.right, c.right, c.left}, -1),
               y = ops::concatenate({c.top, c.top, c.bottom, c.bottom}, -1);
  const Tensor new_x = row(0) * x + row(1) * y + row(2), new_y = row(3) * x + row(4) * y + row(5);
  const auto extreme = [](Tensor (*f)(const Tensor&, const ops::ExtremumOptions&), const Tensor& of) {
    return f(of, {.axis = -1, .keepdims = true});
  };
  return joined(extreme(&ops::min, new_x), extreme(&ops::min, new_y), extreme(&ops::max, new_x),
                extreme(&ops::max, new_y));
}

Tensor crop(const Tensor& boxes, const CropBoxesOptions& options) {
  require_corners("crop", options.bounding_box_format);
  check_boxes("crop", "boxes", boxes);
  const Corners c = corners_of(boxes);
  return joined(
      clipped({c.left - options.left, c.top - options.top, c.right - options.left, c.bottom - options.top},
              static_cast<double>(options.width), static_cast<double>(options.height)));
}

Tensor pad(const Tensor& boxes, const PadBoxesOptions& options) {
  require_corners("pad", options.bounding_box_format);
  check_boxes("pad", "boxes", boxes);
  const Corners c = corners_of(boxes);
  return joined({c.left + options.left, c.top + options.top, c.right + options.left, c.bottom + options.top});
}

Tensor encode_box_to_deltas(const Tensor& anchors, const Tensor& boxes, const StringArgument& anchor_format,
                            const StringArgument& box_format, const BoxDeltaOptions& options) {
  constexpr const char* kCaller = "encode_box_to_deltas";
  const std::string encoding = encoding_of(kCaller, options.encoding_format);
  const Size size = size_of(kCaller, options.image_shape);
  const auto [anchor_center, anchor_size] =
      centers_and_sizes(converted(kCaller, anchors, anchor_format, encoding, size, DType::kF32));
  const auto [center, extent] =
      centers_and_sizes(converted(kCaller, boxes, box_format, encoding, size, DType::kF32));
  const double least = cornu::detail::small_number();
  const Tensor unit = ops::maximum(anchor_size, least);
  const Tensor deltas =
      ops::concatenate({(center - anchor_center) / unit, ops::log(ops::maximum(extent, least) / unit)}, -1);
  return options.variance.has_value() ? deltas / variances(*options.variance) : deltas;
}

Tensor decode_deltas_to_boxes(const Tensor& anchors, const Tensor& boxes_delta,
                              const StringArgument& anchor_format, const StringArgument& box_format,
                              const BoxDeltaOptions& options) {
  constexpr const char* kCaller = "decode_deltas_to_boxes";
  const std::string encoding = encoding_of(kCaller, options.encoding_format);
  check_boxes(kCaller, "boxes_delta", boxes_delta);
  const Size size = size_of(kCaller, options.image_shape);
  const auto [anchor_center, anchor_size] =
      centers_and_sizes(converted(kCaller, anchors, anchor_format, encoding, size, DType::kF32));
  const auto [move, growth] = centers_and_sizes(
      options.variance.has_value() ? boxes_delta * variances(*options.variance) : boxes_delta);
  const Tensor boxes =
      ops::concatenate({move * anchor_size + anchor_center, ops::exp(growth) * anchor_size}, -1);
  return converted(kCaller, boxes, encoding, box_format, size, DType::kF32);
}

Tensor compute_iou(const Tensor& boxes1, const Tensor& boxes2, const StringArgument& bounding_box_format,
                   const ComputeIouOptions& options) {
  constexpr const char* kCaller = "compute_iou";
  for (const Tensor& boxes : {boxes1, boxes2})
    if (boxes.rank() != 2 && boxes.rank() != 3)
      invalid_argument({.argument = "boxes1"},
                       "[{}] boxes must be [boxes, 4] or [batch, boxes, 4]; got shape {}", kCaller,
                       ir::shape_str(boxes.shape()));
  const Size size = size_of(kCaller, options.image_shape);
  const auto plain = [&](const Tensor& boxes) {
    return converted(kCaller, boxes, bounding_box_format, "xyxy", size, DType::kF32);
  };
  const Tensor first = plain(boxes1), second = plain(boxes2);
  const Corners a = corners_of(first), b = corners_of(second);
  const auto across = [](const Tensor& x) { return ops::swapaxes(x, -1, -2); };
  const auto shared = [&](const Tensor& end_a, const Tensor& end_b, const Tensor& begin_a,
                          const Tensor& begin_b) {
    return ops::maximum(ops::minimum(end_a, across(end_b)) - ops::maximum(begin_a, across(begin_b)), 0);
  };
  const Tensor both = shared(a.bottom, b.bottom, a.top, b.top) * shared(a.right, b.right, a.left, b.left);
  const Tensor all = ops::expand_dims(area_of(a), -1) + ops::expand_dims(area_of(b), -2) - both;
  const Tensor iou = both / (all + cornu::detail::small_number());
  if (!options.use_masking) return iou;
  const auto is_masked = [](const Tensor& boxes) {
    return ops::less(ops::max(boxes, {.axis = -1, .keepdims = true}), 0);
  };
  return ops::where(ops::logical_or(is_masked(first), across(is_masked(second))), options.mask_val, iou);
}

Tensor compute_ciou(const Tensor& boxes1, const Tensor& boxes2, const StringArgument& bounding_box_format,
                    const ComputeCiouOptions& options) {
  constexpr const char* kCaller = "compute_ciou";
  if (bounding_box_format.starts_with(kRelative))
    invalid_argument({.argument = "bounding_box_format"},
                     "[{}] a relative format is not supported: convert boxes by convert_format; got \"{}\"",
                     kCaller, bounding_box_format);
  const Size size = size_of(kCaller, options.image_shape);
  const auto corners = [&](const Tensor& boxes) {
    return corners_of(converted(kCaller, boxes, bounding_box_format, "xyxy", size, DType::kF32));
  };
  const Corners a = corners(boxes1), b = corners(boxes2);
  const double small = cornu::detail::small_number();
  const Tensor width_a = a.right - a.left, height_a = a.bottom - a.top + small;
  const Tensor width_b = b.right - b.left, height_b = b.bottom - b.top + small;
  const Tensor both = ops::maximum(ops::minimum(a.right, b.right) - ops::maximum(a.left, b.left), 0) *
                      ops::maximum(ops::minimum(a.bottom, b.bottom) - ops::maximum(a.top, b.top), 0);
  const Tensor all = width_a * height_a + width_b * height_b - both + small;
  const Tensor iou = both / (all + small);
  const Tensor diagonal = ops::square(ops::maximum(a.right, b.right) - ops::minimum(a.left, b.left)) +
                          ops::square(ops::maximum(a.bottom, b.bottom) - ops::minimum(a.top, b.top)) + small;
  const Tensor distance = ops::square((a.left + a.right) / 2.0 - (b.left + b.right) / 2.0) +
                          ops::square((a.top + a.bottom) / 2.0 - (b.top + b.bottom) / 2.0);
  const Tensor ratio = ops::square(ops::arctan(width_b / height_b) - ops::arctan(width_a / height_a)) *
                       (4 / (std::numbers::pi * std::numbers::pi));
  const Tensor weight = ratio / (ratio - iou + (1 + small));
  return ops::squeeze(iou - (distance / diagonal + ratio * weight), {.axis = -1});
}

}  // namespace cornu::inline v0::keras::utils::bounding_boxes
