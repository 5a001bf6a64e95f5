#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ops/resize/interpolation_taps.h"
#include "cornu/ops/resize/resize.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/image_geometry.h"
#include "cornu/tensor/ops/image_support.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

/// Images in other sizes: resampling, borders, and the ratio of their sides.
namespace cornu::inline v0::ops {
namespace {

using namespace internal;

Tensor triangle_kernel(const Tensor& x) { return maximum(1.0 - x, 0); }

/// R. G. Keys, Cubic convolution interpolation for digital image processing (1981), with a = -0.5.
Tensor cubic_kernel(const Tensor& x) {
  const Tensor near = (x * 1.5 - 2.5) * x * x + 1.0;
  const Tensor far = ((x * -0.5 + 2.5) * x - 4.0) * x + 2.0;
  return where(greater_equal(x, 2), 0, where(greater_equal(x, 1), far, near));
}

Tensor lanczos_kernel(const Tensor& x, double radius) {
  constexpr double kPi = std::numbers::pi;
  const Tensor product = sin(x * kPi) * sin(x * (kPi / radius)) * radius;
  const Tensor is_far = greater(x, 1e-3);
  const Tensor inside = where(is_far, product / (square(where(is_far, x, 1)) * (kPi * kPi)), 1);
  return where(greater(x, radius), 0, inside);
}

using Kernel = Tensor (*)(const Tensor& distance);

/// The kernel of a method. Errors: InvalidArgument for other names.
Kernel resampling_kernel(const char* op, const char* argument, std::string_view method) {
  if (method == "linear" || method == "bilinear" || method == "trilinear") return &triangle_kernel;
  if (method == "cubic" || method == "bicubic" || method == "tricubic") return &cubic_kernel;
  if (method == "lanczos3") return [](const Tensor& x) { return lanczos_kernel(x, 3); };
  if (method == "lanczos5") return [](const Tensor& x) { return lanczos_kernel(x, 5); };
  invalid_argument(
      {.argument = argument},
      "[{0}] {1} must be \"bilinear\", \"bicubic\", \"lanczos3\" or \"lanczos5\"; got {1} = \"{2}\"", op,
      argument, method);
}

/// Shares of the elements of a line in those of the result: [from, to]. `scale` and `translation` are scalars.
Tensor resampling_weights(std::int64_t from, std::int64_t to, const Tensor& scale, const Tensor& translation,
                          Kernel kernel, bool antialias) {
  const Tensor step = 1.0 / scale;
  const Tensor position = (arange(to, scale.dtype()) + 0.5) * step - translation * step - 0.5;
  Tensor distance = abs(expand_dims(position, 0) - expand_dims(arange(from, scale.dtype()), 1));
  if (antialias) distance = distance / maximum(step, 1);
  const Tensor weights = kernel(distance);
  const Tensor total = sum(weights, {.axis = 0, .keepdims = true});
  const Tensor counts = greater(abs(total), 1000.0 * std::numeric_limits<float>::epsilon());
  const Tensor is_inside =
      logical_and(greater_equal(position, -0.5), less_equal(position, static_cast<double>(from) - 0.5));
  return where(logical_and(counts, is_inside), weights / where(counts, total, 1), 0);
}

/// The products of an axis of x with a matrix [extent, result's extent].
Tensor multiplied_along(const Tensor& x, std::int64_t axis, const Tensor& weights) {
  return moveaxis(tensordot(x, weights, {axis}, {0}), -1, axis);
}

/// The elements of x at these places of an axis.
Tensor taken_along(const Tensor& x, std::int64_t axis, const std::vector<std::int32_t>& places) {
  constexpr std::int64_t kFewChannels = 8;
  const auto to = static_cast<std::int64_t>(places.size()), from = extent(x.shape(), axis);
  std::int64_t before = 1, after = 1;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (d != axis) (d < axis ? before : after) *= extent(x.shape(), d);
  if (after == 1 || after > kFewChannels || before == 0)
    return take(x, Tensor::from<std::int32_t>({to}, places), {.axis = axis});
  // An index for each channel: one long line fills registers, pieces of a few channels do not.
  std::vector<std::int32_t> numbers;
  numbers.reserve(static_cast<std::size_t>(to * after));
  for (const std::int32_t place : places)
    for (std::int64_t channel = 0; channel < after; ++channel)
      numbers.push_back(static_cast<std::int32_t>(place * after + channel));
  Dims shape = x.shape();
  extent(shape, axis) = to;
  const Tensor lines = reshape(x, {before, from * after});
  return reshape(take(lines, Tensor::adopt({to * after}, std::move(numbers)), {.axis = 1}), shape);
}

/// x with another extent of an axis, by the nearest elements.
Tensor nearest_along(const Tensor& x, std::int64_t axis, std::int64_t to) {
  return taken_along(
      x, axis, resize_taps({.interpolation = "nearest"}, extent(x.shape(), axis), to, DType::kF32).places);
}

Tensor resampled_along(const Tensor& x, std::int64_t axis, std::int64_t to, const ResizeOptions& options) {
  const std::int64_t from = extent(x.shape(), axis);
  if (from == to) return x;
  if (options.interpolation == "nearest") return nearest_along(x, axis, to);
  const DType dtype = accumulation_dtype(x.dtype());
  const Tensor scale = full({}, static_cast<double>(to) / static_cast<double>(from), dtype);
  const Tensor weights = resampling_weights(
      from, to, scale, zeros({}, dtype), resampling_kernel("resize", "interpolation", options.interpolation),
      options.antialias);
  return multiplied_along(x, axis, cast(weights, x.dtype()));
}

/// Values of ResizeForm::interpolation.
constexpr std::array kFormNames = {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"};

/// The number in kFormNames of "nearest" or of an interpolation that resampling_kernel accepts.
std::size_t form_number(std::string_view interpolation) {
  if (interpolation.ends_with("linear")) return 1;
  if (interpolation.ends_with("cubic")) return 2;
  return interpolation == "nearest" ? 0 : interpolation == "lanczos3" ? 3 : 4;
}

/// Images with other extents of the axes row_axis and row_axis + 1.
Tensor resampled(const Tensor& x, std::int64_t row_axis, const Dims& sizes, const ResizeOptions& options) {
  const std::int64_t rows = extent(x.shape(), row_axis), columns = extent(x.shape(), row_axis + 1);
  const bool has_op = (x.dtype() == DType::kF32 || x.dtype() == DType::kF64) && rows > 0 && columns > 0;
  if (!has_op)
    return resampled_along(resampled_along(x, row_axis, sizes[0], options), row_axis + 1, sizes[1], options);
  if (rows == sizes[0] && columns == sizes[1]) return x;
  const std::size_t number = form_number(options.interpolation);
  const ResizeForm form = {.interpolation = kFormNames[number], .antialias = options.antialias};
  std::int64_t batch = 1, channels = 1;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (d != row_axis && d != row_axis + 1) (d < row_axis ? batch : channels) *= extent(x.shape(), d);
  const OpKey key("resize", sizes[0], sizes[1], number, form.antialias);
  const Tensor result =
      run_op(key, std::array{reshape(x, {batch, rows, columns, channels})},
             [&](ir::Builder& b, Values v) { return resize(b, v[0], {sizes[0], sizes[1]}, form); });
  Dims shape = x.shape();
  extent(shape, row_axis) = sizes[0];
  extent(shape, row_axis + 1) = sizes[1];
  return reshape(result, shape);
}

std::int64_t scaled(std::int64_t extent, std::int64_t by, std::int64_t from) {
  return static_cast<std::int64_t>(static_cast<double>(extent * by) / static_cast<double>(from));
}

/// The middle of images [..., rows, columns, ...] with the ratio rows : columns of size.
Tensor cropped_to_ratio(const Tensor& images, std::int64_t row_axis, const Dims& size) {
  Dims start(images.shape().size(), 0), shape = images.shape();
  const std::int64_t rows = extent(shape, row_axis), columns = extent(shape, row_axis + 1);
  extent(shape, row_axis) = std::clamp<std::int64_t>(scaled(columns, size[0], size[1]), 1, rows);
  extent(shape, row_axis + 1) = std::clamp<std::int64_t>(scaled(rows, size[1], size[0]), 1, columns);
  extent(start, row_axis) = (rows - extent(shape, row_axis)) / 2;
  extent(start, row_axis + 1) = (columns - extent(shape, row_axis + 1)) / 2;
  return slice(images, start, shape);
}

/// Images with equal borders, so that they have the ratio rows : columns of size. As in Keras, columns get borders
/// only where rows get none.
Tensor padded_to_ratio(const Tensor& images, std::int64_t row_axis, const Dims& size, double fill_value) {
  std::vector<std::pair<std::int64_t, std::int64_t>> widths(static_cast<std::size_t>(images.rank()), {0, 0});
  const std::int64_t rows = extent(images.shape(), row_axis), columns = extent(images.shape(), row_axis + 1);
  const std::int64_t above = (std::max(rows, scaled(columns, size[0], size[1])) - rows) / 2;
  const std::int64_t left = (std::max(columns, scaled(rows, size[1], size[0])) - columns) / 2;
  if (above > 0)
    widths[static_cast<std::size_t>(row_axis)] = {above, above};
  else
    widths[static_cast<std::size_t>(row_axis) + 1] = {left, left};
  return pad(images, widths, {.constant_values = cast(Tensor(fill_value), images.dtype())});
}

std::int64_t row_axis_of(const char* op, const Tensor& images, std::string_view data_format) {
  return image_channels(op, images, data_format) == images.rank() - 1 ? images.rank() - 3 : images.rank() - 2;
}

/// The first border of an axis and the extent of the result, from two of three numbers. sign is 1 for borders that are
/// added, -1 for those that are removed.
struct Border {
  std::int64_t before, after, extent;
};
struct GivenBorder {
  const char* names;
  std::optional<std::int64_t> before, after, target;
};
Border resolved_border(const char* op, const GivenBorder& given, std::int64_t size, std::int64_t sign) {
  if (given.before.has_value() + given.after.has_value() + given.target.has_value() != 2)
    invalid_argument("[{}] needs exactly two of {}", op, given.names);
  const std::int64_t difference = given.target ? sign * (*given.target - size) : 0;
  Border border = {};
  border.before = given.before ? *given.before : difference - *given.after;
  border.after = given.after ? *given.after : difference - border.before;
  border.extent = size + sign * (border.before + border.after);
  if (border.before < 0 || border.after < 0 || border.extent < 0)
    invalid_argument("[{}] {} do not fit an extent of {}: they give the borders {} and {}", op, given.names,
                     size, border.before, border.after);
  return border;
}

}  // namespace

Tensor resize(const Tensor& images, const IntOrInts& size, const ResizeOptions& options) {
  const std::int64_t axis = row_axis_of("resize", images, options.data_format);
  const Dims& sizes = size.values();
  if (sizes.size() != 2 || sizes[0] < 1 || sizes[1] < 1)
    invalid_argument({.argument = "size"}, "[resize] size must be two positive numbers; got size = {}",
                     ir::shape_str(sizes));
  if (options.fill_mode != "constant")
    invalid_argument({.argument = "fill_mode"},
                     "[resize] fill_mode must be \"constant\"; got fill_mode = \"{}\"", options.fill_mode);
  if (options.crop_to_aspect_ratio && options.pad_to_aspect_ratio)
    invalid_argument("[resize] only one of crop_to_aspect_ratio and pad_to_aspect_ratio can be true");
  const bool is_nearest = options.interpolation == "nearest";
  if (!is_nearest) (void)resampling_kernel("resize", "interpolation", options.interpolation);  // its errors
  Tensor given = images;
  if (options.crop_to_aspect_ratio) given = cropped_to_ratio(given, axis, sizes);
  if (options.pad_to_aspect_ratio) given = padded_to_ratio(given, axis, sizes, options.fill_value);
  if (!is_nearest) given = as_float(given);
  const Tensor result = resampled(given, axis, sizes, options);
  return ir::is_integer(images.dtype()) && !is_nearest ? saturate_cast(round(result), images.dtype())
                                                       : result;
}

Tensor scale_and_translate(const Tensor& images, const Dims& output_shape, const Tensor& scale,
                           const Tensor& translation, const Axes& spatial_dims, StringViewArgument method,
                           const ScaleAndTranslateOptions& options) {
  const Kernel kernel = resampling_kernel("scale_and_translate", "method", method);
  (void)spatial_dims.normalized(images.rank(), "scale_and_translate");  // its errors
  const std::vector<std::int64_t>& axes = spatial_dims.given();
  const Dims one_each = {static_cast<std::int64_t>(axes.size())};
  if (scale.shape() != one_each || translation.shape() != one_each)
    invalid_argument(
        "[scale_and_translate] scale and translation must have a number for each of {} axes; got {} "
        "and {}",
        axes.size(), ir::shape_str(scale.shape()), ir::shape_str(translation.shape()));
  Tensor result = as_float(images);
  const DType dtype = accumulation_dtype(result.dtype());
  Dims expected = images.shape();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t axis = normalized_axis(axes[i], images.rank(), "scale_and_translate");
    if (output_shape.size() != expected.size()) break;
    extent(expected, axis) = extent(output_shape, axis);
    const Tensor weights =
        resampling_weights(extent(images.shape(), axis), extent(output_shape, axis),
                           cast(scale[static_cast<std::int64_t>(i)], dtype),
                           cast(translation[static_cast<std::int64_t>(i)], dtype), kernel, options.antialias);
    result = multiplied_along(result, axis, cast(weights, result.dtype()));
  }
  if (output_shape != expected)
    invalid_argument({.argument = "output_shape"},
                     "[scale_and_translate] output_shape may differ from {} along spatial_dims only; got {}",
                     ir::shape_str(images.shape()), ir::shape_str(output_shape));
  return result;
}

Tensor pad_images(const Tensor& images, const PadImagesOptions& options) {
  const std::int64_t axis = row_axis_of("pad_images", images, options.data_format);
  const Border rows = resolved_border("pad_images",
                                      {"top_padding, bottom_padding and target_height", options.top_padding,
                                       options.bottom_padding, options.target_height},
                                      extent(images.shape(), axis), 1);
  const Border columns = resolved_border("pad_images",
                                         {"left_padding, right_padding and target_width",
                                          options.left_padding, options.right_padding, options.target_width},
                                         extent(images.shape(), axis + 1), 1);
  std::vector<std::pair<std::int64_t, std::int64_t>> widths(static_cast<std::size_t>(images.rank()), {0, 0});
  widths[static_cast<std::size_t>(axis)] = {rows.before, rows.after};
  widths[static_cast<std::size_t>(axis) + 1] = {columns.before, columns.after};
  return pad(images, widths);
}

Tensor crop_images(const Tensor& images, const CropImagesOptions& options) {
  const std::int64_t axis = row_axis_of("crop_images", images, options.data_format);
  const Border rows = resolved_border("crop_images",
                                      {"top_cropping, bottom_cropping and target_height",
                                       options.top_cropping, options.bottom_cropping, options.target_height},
                                      extent(images.shape(), axis), -1);
  const Border columns =
      resolved_border("crop_images",
                      {"left_cropping, right_cropping and target_width", options.left_cropping,
                       options.right_cropping, options.target_width},
                      extent(images.shape(), axis + 1), -1);
  Dims start(images.shape().size(), 0), shape = images.shape();
  extent(start, axis) = rows.before, extent(shape, axis) = rows.extent;
  extent(start, axis + 1) = columns.before, extent(shape, axis + 1) = columns.extent;
  return slice(images, start, shape);
}

}  // namespace cornu::inline v0::ops
