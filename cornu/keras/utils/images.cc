#include "cornu/keras/utils/images.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/data/images/images.h"
#include "cornu/io/file.h"
#include "cornu/io/images/image.h"
#include "cornu/keras/config/data_format_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/image_geometry.h"

namespace cornu::inline v0::keras {

namespace utils {
namespace {

std::string format_of(const std::string& path, std::string format) {
  if (format.empty()) {
    const std::size_t dot = path.rfind('.');
    format = dot == std::string::npos ? "" : path.substr(dot + 1);
  }
  for (char& c : format) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (format != "png" && format != "jpg" && format != "jpeg")
    invalid_argument(
        {.argument = "file_format"},
        "[save_img] file_format, or the end of the path, must be \"png\", \"jpg\" or \"jpeg\"; got "
        "\"{}\"",
        format);
  return format;
}

/// The pixels as bytes, as keras.utils.array_to_img has them.
Tensor bytes_of(const Tensor& x, bool scale) {
  const Tensor values = ops::cast(x, DType::kF32);
  if (values.num_elements() == 0) return ops::cast(values, DType::kU8);
  if (scale) {
    const Tensor from_least = values - ops::min(values), largest = ops::max(from_least);
    const Tensor divisor = ops::where(ops::equal(largest, 0), 1.0, largest);
    return ops::cast(from_least / divisor * 255.0, DType::kU8);
  }
  if (ops::min(values).item<double>() < 0 || ops::max(values).item<double>() >= 256)
    invalid_argument({.argument = "x"},
                     "[save_img] the values of x must be in [0, 255], or scale must be true");
  return ops::cast(values, DType::kU8);
}

}  // namespace

void save_img(const StringArgument& path, const Tensor& x, const SaveImgOptions& options) {
  const std::string format = format_of(path, options.file_format);
  const std::string axes = config::given_or_global(options.data_format);
  if (axes != "channels_last" && axes != "channels_first")
    invalid_argument({.argument = "data_format"},
                     "[save_img] data_format must be \"channels_last\" or \"channels_first\"; got \"{}\"",
                     axes);
  if (x.rank() != 3)
    invalid_argument({.argument = "x"}, "[save_img] x must be an image with three axes; got shape {}",
                     ir::shape_str(x.shape()));
  Tensor pixels = bytes_of(axes == "channels_first" ? ops::transpose(x, {1, 2, 0}) : x, options.scale);
  const Dims& shape = pixels.shape();
  if (shape[2] != 1 && shape[2] != 3 && shape[2] != 4)
    invalid_argument({.argument = "x"}, "[save_img] x must have 1, 3 or 4 channels; got {}", shape[2]);
  const bool is_png = format == "png";
  if (!is_png && shape[2] == 4) {
    log_warning("[save_img] a JPEG has no alpha: it is left out of {}", std::string(path));
    pixels = ops::slice(pixels, {0, 0, 0}, {shape[0], shape[1], 3});
  }
  constexpr int kQuality = 75;  // Pillow's
  const io::Image image{.height = pixels.shape()[0],
                        .width = pixels.shape()[1],
                        .channels = pixels.shape()[2],
                        .pixels = pixels.to_vector<std::uint8_t>()};
  const std::string bytes = is_png ? io::encode_png(image) : io::encode_jpeg(image, kQuality);
  io::WholeFile file(path);
  file.write(std::as_bytes(std::span(bytes)));
  file.commit();
}

Tensor load_img(const StringArgument& path, const LoadImgOptions& options) {
  constexpr std::pair<std::string_view, std::int64_t> kChannels[] = {
      {"grayscale", 1}, {"rgb", 3}, {"rgba", 4}};
  const auto* const mode =
      std::ranges::find(kChannels, options.color_mode, [](const auto& entry) { return entry.first; });
  if (mode == std::end(kChannels))
    invalid_argument({.argument = "color_mode"},
                     "[load_img] color_mode must be \"grayscale\", \"rgb\" or \"rgba\"; got \"{}\"",
                     options.color_mode);
  const Tensor image = data::load_image(path, {.channels = mode->second});
  const bool has_size = !options.target_size.has_value() || (image.shape()[0] == (*options.target_size)[0] &&
                                                             image.shape()[1] == (*options.target_size)[1]);
  if (has_size) return image;
  const Tensor resized = data::resize_image(image, *options.target_size,
                                            {.interpolation = options.interpolation,
                                             .antialias = options.interpolation != "nearest",
                                             .crop_to_aspect_ratio = options.keep_aspect_ratio});
  return resized.dtype() == DType::kU8 ? resized
                                       : ops::cast(ops::round(ops::clip(resized, 0, 255)), DType::kU8);
}

}  // namespace utils

namespace preprocessing::image {

Tensor smart_resize(const Tensor& x, const std::array<std::int64_t, 2>& size,
                    const SmartResizeOptions& options) {
  return ops::resize(x, {size[0], size[1]},
                     {.interpolation = options.interpolation,
                      .crop_to_aspect_ratio = true,
                      .data_format = options.data_format});
}

}  // namespace preprocessing::image

}  // namespace cornu::inline v0::keras
