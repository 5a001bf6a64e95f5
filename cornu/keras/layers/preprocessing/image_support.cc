#include "cornu/keras/layers/preprocessing/image_support.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/data_format_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers::image {
namespace {

/// One image, or a batch.
InputSpec images_spec() { return {.min_ndim = 3, .max_ndim = 4}; }

Tensor iota(std::int64_t count, const Dims& shape) {
  claim_memory(CheckedSize(count) * sizeof(float),
               [&] { return fmt::format("[image] the numbers of {} pixels", count); });
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return Tensor::adopt(shape, std::move(values));
}

/// Claims the memory of resize_axis(): the taps of each pixel, and the matrix.
void claim_taps(std::int64_t from, std::int64_t to, bool is_nearest) {
  constexpr int kBytesOfATap = 128;  // or more, if a pixel has several
  CheckedSize size = CheckedSize(to) * kBytesOfATap;
  if (!is_nearest) size = size + CheckedSize(from) * kBytesOfATap + CheckedSize(to) * from * sizeof(float);
  claim_memory(size, [&] { return fmt::format("[resize] the weights of {} pixels for {}", from, to); });
}

/// Resizes one axis by taps: by index if each result pixel is one input pixel, else as a product with a
/// matrix.
Tensor resize_axis(const Tensor& images, std::int64_t axis, std::int64_t to, const ResampleOptions& options) {
  const std::int64_t from = images.shape()[static_cast<std::size_t>(axis)];
  claim_taps(from, to, options.method == ResampleMethod::kNearest);
  const ResampleTaps taps = resample_taps(from, to, options);
  if (options.method == ResampleMethod::kNearest)
    return ops::take(images, Tensor::from<std::int64_t>({to}, taps.first), {.axis = axis});
  std::vector<float> matrix(static_cast<std::size_t>(to * from));
  for (std::size_t i = 0; i < taps.first.size(); ++i)
    for (std::int64_t k = 0; k < taps.num_taps && taps.first[i] + k < from; ++k)
      matrix[i * static_cast<std::size_t>(from) + static_cast<std::size_t>(taps.first[i] + k)] +=
          taps.weights_of(i)[static_cast<std::size_t>(k)];
  const Tensor weights = ops::cast(Tensor::adopt({to, from}, std::move(matrix)), images.dtype());
  return ops::einsum(axis == 1 ? "bhwc,ph->bpwc" : "bhwc,pw->bhpc", {images, weights});
}

/// Rounds as Keras does.
std::int64_t fitting(std::int64_t across, std::int64_t wanted, std::int64_t other) {
  return static_cast<std::int64_t>(static_cast<double>(across) * static_cast<double>(wanted) /
                                   static_cast<double>(other));
}

Tensor padded_to_shape(const Tensor& images, std::int64_t height, std::int64_t width, double fill_value) {
  const std::int64_t rows = images.shape()[1], columns = images.shape()[2];
  const std::int64_t above = (std::max(rows, fitting(columns, height, width)) - rows) / 2;
  const std::int64_t before = (std::max(columns, fitting(rows, width, height)) - columns) / 2;
  return ops::pad(images, {{0, 0}, {above, above}, {before, before}, {0, 0}},
                  {.constant_values = fill_value});
}

/// The index of the pixel that is used for an index that may be outside.
Tensor fixed_index(const Tensor& index, std::int64_t size, const std::string& mode) {
  if (mode == "wrap") return ops::mod(index, size);
  if (mode != "reflect" || size == 1) return ops::clip(index, 0, static_cast<double>(size - 1));
  // The image and its mirror image alternate.
  const Tensor place = ops::mod(index, 2 * size);
  return ops::minimum(place, 2 * size - 1 - place);
}

/// The pixels at positions of each image: [batch, positions] of [batch, rows * columns, channels].
Tensor pixels_at(const Tensor& images, const Tensor& y, const Tensor& x, const SampleOptions& options) {
  const std::int64_t rows = images.shape()[1], columns = images.shape()[2];
  const Tensor at =
      fixed_index(y, rows, options.fill_mode) * columns + fixed_index(x, columns, options.fill_mode);
  const Tensor flat = ops::reshape(images, {images.shape()[0], rows * columns, images.shape()[3]});
  const Dims places = {at.shape()[0], rows * columns, 1};
  Tensor pixels =
      ops::reshape(ops::take_along_axis(flat, ops::reshape(at, places), {.axis = 1}), images.shape());
  if (options.fill_mode != "constant") return pixels;
  const auto is_inside = [](const Tensor& index, std::int64_t size) {
    return ops::logical_and(ops::greater_equal(index, 0), ops::less(index, size));
  };
  const Tensor inside = ops::logical_and(is_inside(y, rows), is_inside(x, columns));
  return ops::where(ops::expand_dims(inside, -1), pixels, options.fill_value);
}

/// A coordinate split into its integral and its fractional part.
struct Split {
  Tensor index, rest;
};
Split split_of(const Tensor& coordinate, DType dtype) {
  const Tensor below = ops::floor(coordinate);
  return {ops::cast(below, DType::kI32), ops::expand_dims(ops::cast(coordinate - below, dtype), -1)};
}

/// Rounds to nearest, halves away from zero.
Tensor nearest_index(const Tensor& coordinate) {
  return ops::cast(ops::sign(coordinate) * ops::floor(ops::abs(coordinate) + 0.5), DType::kI32);
}

}  // namespace

Tensor crop(const Tensor& images, std::int64_t top, std::int64_t left, std::int64_t height,
            std::int64_t width) {
  return ops::slice(images, {0, top, left, 0}, {images.shape()[0], height, width, images.shape()[3]});
}

Dims shape_box(const Dims& images, std::int64_t height, std::int64_t width) {
  const std::int64_t rows = images[1], columns = images[2];
  const std::int64_t kept_rows = std::clamp<std::int64_t>(fitting(columns, height, width), 1, rows);
  const std::int64_t kept_columns = std::clamp<std::int64_t>(fitting(rows, width, height), 1, columns);
  return {(rows - kept_rows) / 2, (columns - kept_columns) / 2, kept_rows, kept_columns};
}

Tensor crop_to_shape(const Tensor& images, std::int64_t height, std::int64_t width) {
  const Dims box = shape_box(images.shape(), height, width);
  return crop(images, box[0], box[1], box[2], box[3]);
}

Tensor resize(Tensor images, const ResizeOptions& options) {
  if (options.crop_to_aspect_ratio) images = crop_to_shape(images, options.height, options.width);
  if (options.pad_to_aspect_ratio)
    images = padded_to_shape(images, options.height, options.width, options.fill_value);
  if (images.shape()[1] != options.height) images = resize_axis(images, 1, options.height, options.resample);
  if (images.shape()[2] != options.width) images = resize_axis(images, 2, options.width, options.resample);
  return images;
}

std::string sample_options_error(const SampleOptions& options) {
  const std::set<std::string> modes = {"reflect", "wrap", "constant", "nearest"};
  if (!modes.contains(options.fill_mode))
    return fmt::format(
        "fill_mode must be \"reflect\", \"wrap\", \"constant\" "
        "or \"nearest\"; got \"{}\"",
        options.fill_mode);
  if (options.interpolation != "bilinear" && options.interpolation != "nearest")
    return fmt::format("interpolation must be \"bilinear\" or \"nearest\"; got \"{}\"",
                       options.interpolation);
  return {};
}

Tensor column_numbers(const Tensor& images) { return iota(images.shape()[2], {1, 1, images.shape()[2]}); }
Tensor row_numbers(const Tensor& images) { return iota(images.shape()[1], {1, images.shape()[1], 1}); }

Tensor affine_transform(const Tensor& images, const Affine& affine, const SampleOptions& options) {
  const Tensor column = column_numbers(images), row = row_numbers(images);
  return sample_at(images, affine.a0 * column + affine.a1 * row + affine.a2,
                   affine.b0 * column + affine.b1 * row + affine.b2, options);
}

Tensor sample_at(const Tensor& images, const Tensor& x, const Tensor& y, const SampleOptions& options) {
  if (options.interpolation == "nearest")
    return pixels_at(images, nearest_index(y), nearest_index(x), options);
  const Split down = split_of(y, images.dtype()), across = split_of(x, images.dtype());
  const auto line = [&](const Tensor& at) {
    return pixels_at(images, at, across.index, options) * (1 - across.rest) +
           pixels_at(images, at, across.index + 1, options) * across.rest;
  };
  return line(down.index) * (1 - down.rest) + line(down.index + 1) * down.rest;
}

ImageLayer::ImageLayer(LayerSettings settings, const std::string& data_format, std::string box_format)
    : Layer(std::move(settings)),
      channels_first_(config::given_or_global(data_format) == "channels_first"),
      box_format_(std::move(box_format)) {
  if (!box_format_.empty()) check_box_format();
  if (!data_format.empty() && data_format != "channels_last" && data_format != "channels_first")
    option_error("data_format", "must be \"channels_last\" or \"channels_first\"", data_format);
  set_input_spec(images_spec());
  set_type_rule(TypeRule::kCast);
}

void ImageLayer::check_size(std::int64_t height, std::int64_t width) const {
  constexpr std::int64_t kLargest = std::int64_t{1} << 20;  // of any image, since there are tables of pixels
  const auto fits = [](std::int64_t side) { return side >= 1 && side <= kLargest; };
  if (!fits(height) || !fits(width))
    option_error("height and width", fmt::format("must be positive and at most {}", kLargest),
                 fmt::format("{} x {}", height, width));
}

void ImageLayer::check_images(const Dims& input_shape) const {
  images_spec().check(input_shape, "the input");
  const std::size_t row_axis = input_shape.size() - (channels_first_ ? 2 : 3);
  if (input_shape[row_axis] == 0 || input_shape[row_axis + 1] == 0)
    invalid_argument("[{}] images must have at least one row and one column; got an input of shape {}",
                     snake_case(class_name()), shape_with_none_str(input_shape));
}

Dims ImageLayer::compute_output_shape(const Dims& input_shape) const {
  check_images(input_shape);
  Dims shape = input_shape;
  const std::size_t row_axis = shape.size() - (channels_first_ ? 2 : 3);
  const auto [height, width] = output_size(shape[row_axis], shape[row_axis + 1]);
  shape[row_axis] = height;
  shape[row_axis + 1] = width;
  return shape;
}

void ImageLayer::check_box_format() const {
  try {
    utils::bounding_boxes::convert_format(Tensor::zeros({1, 4}), box_format_, "xyxy",
                                          {.height = 1.0, .width = 1.0});
  } catch (const Error&) {
    option_error("bounding_box_format", "must be a format of utils::bounding_boxes, such as \"xyxy\"",
                 fmt::format("\"{}\"", box_format_));
  }
}

Tensor ImageLayer::transform(const Tensor& images, const CallContext& context) {
  return change(images.shape(), context).of_images(images);
}

ImageChange ImageLayer::change(const Dims&, const CallContext& context) {
  return {.of_images = [this, context](const Tensor& images) { return transform(images, context); }};
}

Tensor ImageLayer::call(const Tensor& input, const CallContext& context) {
  check_images(input.shape());
  return as_given(transform(in_batch(casts() ? ops::cast(input, compute_dtype()) : input), context), input);
}

}  // namespace cornu::inline v0::keras::layers::image
