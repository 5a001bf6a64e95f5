#include "cornu/tensor/ops/image.h"

#include <limits>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/image_support.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
namespace {

using internal::image_channels;

/// The axis of red, green and blue (or of hue, saturation and value) of floats.
std::int64_t color_axis(const char* op, const Tensor& images, std::string_view data_format) {
  const std::int64_t axis = image_channels(op, images, data_format);
  if (internal::extent(images.shape(), axis) != 3 || !ir::is_float(images.dtype()))
    invalid_argument("[{}] images must be floats with 3 channels; got shape {} of {}", op,
                     ir::shape_str(images.shape()), ir::numpy_name(images.dtype()));
  return axis;
}

/// The distance from 1 to the next number of a dtype.
double rounding_of(DType dtype) {
  if (dtype == DType::kF64) return std::numeric_limits<double>::epsilon();
  if (dtype == DType::kF16) return 0x1p-10;
  if (dtype == DType::kBF16) return 0x1p-7;
  return std::numeric_limits<float>::epsilon();
}

}  // namespace

Tensor rgb_to_grayscale(const Tensor& images, const ImageOptions& options) {
  const std::int64_t axis = image_channels("rgb_to_grayscale", images, options.data_format);
  const std::int64_t channels = internal::extent(images.shape(), axis);
  if (channels == 1) return images;
  if (channels != 3)
    invalid_argument("[rgb_to_grayscale] images must have 1 or 3 channels; got shape {}",
                     ir::shape_str(images.shape()));
  const std::vector<Tensor> rgb = split(internal::as_float(images), 3, {.axis = axis});
  return cast(rgb[0] * 0.2989 + rgb[1] * 0.5870 + rgb[2] * 0.1140, images.dtype());
}

Tensor rgb_to_hsv(const Tensor& images, const ImageOptions& options) {
  const std::int64_t axis = color_axis("rgb_to_hsv", images, options.data_format);
  const std::vector<Tensor> rgb =
      split(where(less(abs(images), rounding_of(images.dtype())), 0, images), 3, {.axis = axis});
  const Tensor &red = rgb[0], &green = rgb[1], &blue = rgb[2];
  const Tensor value = maximum(maximum(red, green), blue);
  const Tensor range = value - minimum(minimum(red, green), blue);
  const Tensor has_value = greater(value, 0), has_range = greater(range, 0);
  const Tensor saturation = where(has_value, range / where(has_value, value, 1), 0);
  const Tensor sixth = 1.0 / (where(has_range, range, 1) * 6.0);
  Tensor hue = where(equal(value, green), sixth * (blue - red) + 2.0 / 6, sixth * (red - green) + 4.0 / 6);
  hue = where(equal(value, red), sixth * (green - blue), hue);
  hue = where(has_range, hue, 0) + cast(logical_and(has_range, less(hue, 0)), images.dtype());
  return concatenate({hue, saturation, value}, {.axis = axis});
}

Tensor hsv_to_rgb(const Tensor& images, const ImageOptions& options) {
  const std::int64_t axis = color_axis("hsv_to_rgb", images, options.data_format);
  const std::vector<Tensor> hsv = split(images, 3, {.axis = axis});
  const Tensor turn = mod(hsv[0], 1.0) * 6.0;
  const Tensor &saturation = hsv[1], &value = hsv[2];
  const auto channel = [&](const Tensor& share) {
    return value * (1.0 - saturation + saturation * clip(share, 0, 1));
  };
  return concatenate(
      {channel(abs(turn - 3.0) - 1.0), channel(2.0 - abs(turn - 2.0)), channel(2.0 - abs(turn - 4.0))},
      {.axis = axis});
}

}  // namespace cornu::inline v0::ops
