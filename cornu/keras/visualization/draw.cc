#include "cornu/keras/visualization/draw.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/config/data_format_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::visualization {
namespace {

bool is_channels_first(const char* caller, const std::string& given) {
  const std::string format = config::given_or_global(given);
  if (format != "channels_first" && format != "channels_last")
    invalid_argument({.argument = "data_format"},
                     "[{}] data_format must be \"channels_last\" or \"channels_first\"; got \"{}\"", caller,
                     format);
  return format == "channels_first";
}

/// Images with their channels last.
Tensor channels_last(const char* caller, const Tensor& images, bool channels_first) {
  const bool fits = images.rank() == 4 && images.shape()[channels_first ? 1 : 3] == 3;
  if (!fits)
    invalid_argument({.argument = "images"}, "[{}] images must be a batch with 3 channels; got shape {}",
                     caller, ir::shape_str(images.shape()));
  return channels_first ? ops::transpose(images, {0, 2, 3, 1}) : images;
}

Tensor like_given(const Tensor& images, bool channels_first) {
  return channels_first ? ops::transpose(images, {0, 3, 1, 2}) : images;
}

/// Pixels as bytes.
Tensor bytes_of(const Tensor& images) {
  if (!ir::is_float(images.dtype())) return ops::cast(images, DType::kU8);
  const Tensor wide = ops::cast(images, DType::kF32);
  const bool is_share = images.num_elements() > 0 && ops::max(wide).item<double>() <= 1.0;
  return ops::cast(is_share ? ops::clip(wide, 0, 1) * 255.0 : ops::clip(wide, 0, 255), DType::kU8);
}

/// The pixels of one image.
struct Canvas {
  std::uint8_t* pixels;
  std::int64_t rows, columns;

  void fill(std::int64_t top, std::int64_t left, std::int64_t bottom, std::int64_t right,
            const Color& color) {
    for (std::int64_t y = std::max<std::int64_t>(top, 0); y < std::min(bottom, rows); ++y)
      for (std::int64_t x = std::max<std::int64_t>(left, 0); x < std::min(right, columns); ++x)
        std::copy(color.begin(), color.end(), pixels + (y * columns + x) * 3);
  }
};

/// Draws the edges from (left, top) to (right, bottom), whose pixels belong to the box.
void draw_frame(Canvas& canvas, const std::int64_t (&box)[4], std::int64_t thickness, const Color& color) {
  const std::int64_t before = thickness / 2, after = thickness - before;
  const auto [left, top, right, bottom] = box;
  canvas.fill(top - before, left - before, top + after, right + after, color);
  canvas.fill(bottom - before, left - before, bottom + after, right + after, color);
  canvas.fill(top - before, left - before, bottom + after, left + after, color);
  canvas.fill(top - before, right - before, bottom + after, right + after, color);
}

/// Coordinates far outside of any image are all the same.
std::int64_t pixel_of(float coordinate) {
  constexpr float kFar = 1e9F;
  return std::isnan(coordinate) ? 0 : static_cast<std::int64_t>(std::clamp(coordinate, -kFar, kFar));
}

Color palette_color(std::int64_t i) {
  constexpr std::int64_t kSteps[3] = {(1 << 25) - 1, (1 << 15) - 1, (1 << 21) - 1};
  Color color = {};
  for (std::size_t k = 0; k < color.size(); ++k) color[k] = static_cast<std::uint8_t>(i * kSteps[k] % 255);
  return color;
}

/// The color of each class: [classes, 3].
Tensor colors_of(std::int64_t num_classes, const std::vector<Color>& given) {
  if (!given.empty() && std::ssize(given) < num_classes)
    invalid_argument(
        {.argument = "color_mapping"},
        "[draw_segmentation_masks] color_mapping must have a color for each of {} classes; got {}",
        num_classes, given.size());
  std::vector<float> values;
  for (std::int64_t i = 0; i < num_classes; ++i)
    for (const std::uint8_t part : given.empty() ? palette_color(i) : given[static_cast<std::size_t>(i)])
      values.push_back(part);
  return Tensor::adopt({num_classes, 3}, std::move(values));
}

}  // namespace

Tensor draw_bounding_boxes(const Tensor& images, const utils::bounding_boxes::BoundingBoxes& bounding_boxes,
                           const StringArgument& bounding_box_format,
                           const DrawBoundingBoxesOptions& options) {
  constexpr const char* kCaller = "draw_bounding_boxes";
  const bool channels_first = is_channels_first(kCaller, options.data_format);
  const Tensor pixels = bytes_of(channels_last(kCaller, images, channels_first));
  const Dims& shape = pixels.shape();
  if (options.line_thickness < 1)
    invalid_argument({.argument = "line_thickness"}, "[{}] line_thickness must be positive; got {}", kCaller,
                     options.line_thickness);
  const Dims& of_boxes = bounding_boxes.boxes.shape();
  const bool fits = of_boxes.size() == 3 && of_boxes[0] == shape[0] && of_boxes[2] == 4 &&
                    bounding_boxes.labels.defined() &&
                    bounding_boxes.labels.shape() == Dims{of_boxes[0], of_boxes[1]};
  if (!fits)
    invalid_argument({.argument = "bounding_boxes"},
                     "[{}] boxes must be [batch, boxes, 4] with labels [batch, boxes] for {} images", kCaller,
                     shape[0]);
  const Tensor corners = utils::bounding_boxes::convert_format(
      bounding_boxes.boxes, bounding_box_format, "xyxy",
      {.height = static_cast<double>(shape[1]), .width = static_cast<double>(shape[2])});
  const std::vector<float> places = corners.to_vector<float>();
  const std::vector<std::int32_t> labels =
      ops::cast(bounding_boxes.labels, DType::kI32).to_vector<std::int32_t>();
  std::vector<std::uint8_t> drawn = pixels.to_vector<std::uint8_t>();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == -1) continue;
    const auto image = static_cast<std::int64_t>(i) / of_boxes[1];
    Canvas canvas{drawn.data() + image * shape[1] * shape[2] * 3, shape[1], shape[2]};
    std::int64_t box[4];
    for (std::size_t k = 0; k < 4; ++k) box[k] = pixel_of(places[4 * i + k]);
    draw_frame(canvas, box, options.line_thickness, options.color);
  }
  return like_given(Tensor::adopt(shape, std::move(drawn)), channels_first);
}

Tensor draw_segmentation_masks(const Tensor& images, const Tensor& segmentation_masks,
                               const DrawSegmentationMasksOptions& options) {
  constexpr const char* kCaller = "draw_segmentation_masks";
  const bool channels_first = is_channels_first(kCaller, options.data_format);
  const Tensor pixels = ops::cast(channels_last(kCaller, images, channels_first), DType::kF32);
  const Dims wanted(pixels.shape().begin(), pixels.shape().end() - 1);
  Tensor ids = segmentation_masks;
  if (ids.rank() == 4) ids = ops::squeeze(ids, {.axis = channels_first ? 1 : 3});
  if (ids.shape() != wanted)
    invalid_argument({.argument = "segmentation_masks"},
                     "[{}] segmentation_masks must have an id for each pixel, {}; got shape {}", kCaller,
                     ir::shape_str(wanted), ir::shape_str(segmentation_masks.shape()));
  if (!ir::is_integer(ids.dtype()))
    invalid_argument({.argument = "segmentation_masks"}, "[{}] segmentation_masks must be integers; got {}",
                     kCaller, ir::numpy_name(ids.dtype()));
  ids = ops::cast(ids, DType::kI32);
  const std::int64_t num_classes =
      options.num_classes.value_or(ids.num_elements() == 0 ? 0 : ops::max(ids).item<std::int64_t>());
  Tensor painted = pixels;
  if (num_classes > 0) {
    const Tensor has_color =
        ops::logical_and(ops::greater_equal(ids, 0), ops::less(ids, static_cast<double>(num_classes)));
    const Tensor colors = ops::take(colors_of(num_classes, options.color_mapping),
                                    ops::clip(ids, 0, static_cast<double>(num_classes - 1)), {.axis = 0});
    painted = ops::where(ops::expand_dims(has_color, -1), colors, pixels);
  }
  if (!options.blend) return like_given(painted, channels_first);
  const Tensor mixed = pixels * (1.0 - options.alpha) + painted * options.alpha;
  const Tensor is_valid =
      ops::expand_dims(ops::not_equal(ids, static_cast<double>(options.ignore_index)), -1);
  return like_given(ops::cast(ops::where(is_valid, mixed, pixels), DType::kU8), channels_first);
}

}  // namespace cornu::inline v0::keras::visualization
