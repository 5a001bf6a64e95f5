#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "cornu/base/string_argument.h"
#include "cornu/data/element.h"
#include "cornu/io/images/image.h"

namespace cornu::inline v0::data {

/// Height and width.
using ImageSize = std::array<std::int64_t, 2>;

struct ResizeImageOptions {  // options/data.toml
  /// Interpolation of resized images: "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5",
  /// "gaussian" or "mitchellcubic".
  std::string interpolation = "bilinear";
  /// True: shrinking averages over the source pixels that a target pixel covers.
  bool antialias = false;
  /// True: cuts equal parts off two sides, so that the image has the new aspect ratio; not with
  /// pad_to_aspect_ratio.
  bool crop_to_aspect_ratio = false;
  /// True: keeps the whole image and pads two sides with zeros; not with crop_to_aspect_ratio.
  bool pad_to_aspect_ratio = false;
};

/// Decodes a PNG, JPEG, GIF (its first picture) or BMP to uint8 [height, width, channels]; `name` is used in
/// errors. See io::decode_image.
Tensor decode_image(StringViewArgument bytes, StringViewArgument name = "an image",
                    const io::DecodeImageOptions& options = {});
/// Decodes the image in a file. Errors: those of decode_image and of reading it.
Tensor load_image(const StringArgument& path, const io::DecodeImageOptions& options = {});

/// Resizes an image [height, width, channels] of uint8 or float32, like tf.image.resize. The result is
/// float32, or has the image's type with "nearest".
/// Errors: InvalidArgument for other tensors, sizes below 1, an unknown interpolation, and if the image is to
///         be both cropped and padded; ResourceExhausted.
Tensor resize_image(const Tensor& image, const ImageSize& size, const ResizeImageOptions& options = {});

/// Reverses the columns (rows) of an image; uint8 or float32 [height, width, channels].
Tensor flip_left_right(const Tensor& image);
Tensor flip_up_down(const Tensor& image);

/// Decodes and resizes image files for a pipeline: each thread needs the memory of one image.
/// Threads: safe.
class ImageLoader {
 public:
  struct Options {
    /// Height and width in pixels to which images are resized.
    ImageSize size = {256, 256};
    /// Number of channels of the result, from 1 to 4.
    std::int64_t channels = 3;
    /// Interpolation and aspect ratio.
    ResizeImageOptions resize = {};
    /// True: the result is [channels, height, width].
    bool channels_first = false;
  };
  /// Errors: those of resize_image for options.
  explicit ImageLoader(Options options);
  /// Decodes an image file to [height, width, channels]; errors name the file.
  Tensor operator()(const std::string& path) const;
  /// Decodes the bytes of an image file; errors contain `name`.
  Tensor decode(StringViewArgument bytes, StringViewArgument name) const;

 private:
  Tensor resized(const io::Image& image) const;

  Options options_;
};

}  // namespace cornu::inline v0::data
