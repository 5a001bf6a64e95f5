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

/// A picture: rows from top to bottom, channels last.
struct Image {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  // 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA
  std::vector<std::uint8_t> pixels;
};

struct DecodeImageOptions {  // options/io.toml
  /// Number of channels of the result; 0: that of the file. A JPEG has 1 or 3, a GIF 3, a BMP 3 or 4.
  std::int64_t channels = 0;
  /// Limit of the size of the decoded image.
  ReadLimits limits = {};
};

/// Decodes a PNG, a JPEG, a GIF (its first picture) or a BMP, whatever its name. The pixels equal those of
/// TensorFlow's decode_image.
///
/// Errors:  DataLoss, with the file's name, if the format is another one, or the file is damaged or
///          truncated; for a claimed size that so few bytes cannot contain, which is rejected before memory
///          is allocated; and for a JPEG with arithmetic coding, which has no such limit. InvalidArgument for
///          other channels; ResourceExhausted beyond the limit; FailedPrecondition without libcornu_images.so
///          beside Cornu.
/// Threads: safe.
Image decode_image(std::span<const std::byte> bytes, StringViewArgument name,
                   const DecodeImageOptions& options = {});
/// Decodes into an image whose memory is reused.
void decode_image(std::span<const std::byte> bytes, StringViewArgument name,
                  const DecodeImageOptions& options, Image& image);

/// Encodes an image of 1 or 3 channels as a JPEG, with `quality` from 1 to 100; or of 1 to 4 channels as a
/// PNG, which is lossless.
/// Errors: InvalidArgument for pixels that are not height * width * channels, and other channels.
std::string encode_jpeg(const Image& image, int quality = 95);
std::string encode_png(const Image& image);

}  // namespace cornu::inline v0::io
