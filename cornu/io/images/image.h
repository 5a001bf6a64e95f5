#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// A picture: rows from the top, channels last.
struct Image {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  // 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA
  std::vector<std::uint8_t> pixels;
};

struct DecodeImageOptions {
  /// 0: those of the file. A JPEG has no alpha: 1 or 3; a GIF has 3; a BMP 3 or 4.
  std::int64_t channels = 0;
  ReadLimits limits = {};
};

/// Decodes a PNG, a JPEG, a GIF (its first picture) or a BMP, whatever its name says. The pixels are those
/// of TensorFlow's decode_image.
///
/// Errors:  DataLoss, naming the file: when it is none of them, is damaged or ends early, says that it is
///          larger than so few bytes can make, which is refused before memory is taken for it, or is a JPEG
///          with arithmetic coding, of which few bytes can make anything; InvalidArgument for other channels;
///          ResourceExhausted beyond the limit; FailedPrecondition without libcornu_images.so beside Cornu.
/// Threads: safe.
Image decode_image(std::span<const std::byte> bytes, StringViewArgument name,
                   const DecodeImageOptions& options = {});
/// The same into a picture whose memory is used again.
void decode_image(std::span<const std::byte> bytes, StringViewArgument name,
                  const DecodeImageOptions& options, Image& image);

/// An image of 1 or 3 channels as a JPEG; `quality` from 1 to 100. Of 1 to 4 as a PNG, which loses nothing.
/// Errors: InvalidArgument for pixels that are not height * width * channels, and other channels.
std::string encode_jpeg(const Image& image, int quality = 95);
std::string encode_png(const Image& image);

}  // namespace cornu::inline v0::io
