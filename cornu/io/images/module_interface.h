#pragma once

#include <cstddef>
#include <cstdint>

/// What passes between Cornu and libcornu_images.so, the only code that includes headers of libjpeg,
/// libpng and giflib. A C interface: nothing is thrown through it.
namespace cornu::inline v0::io {

inline constexpr const char* kImageModuleName = "libcornu_images.so";
inline constexpr const char* kImageModuleSymbol = "cornu_image_codecs";

/// What a file says of itself. Nothing was allocated for it, and nobody vouches for it.
struct ImageHeader {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  // that decoding gives unless others are asked for
  /// No file of fewer bytes can hold that many pixels, whatever it compresses to.
  std::int64_t least_size_bytes = 0;
};

struct ImageMessage {
  char text[200];
};

/// Each gives false, with a message, for what it cannot read.
struct ImageCodec {
  bool (*read_header)(const unsigned char* bytes, std::size_t size, ImageHeader* header,
                      ImageMessage* message);
  /// `pixels`: height * width * channels, rows from the top.
  bool (*decode)(const unsigned char* bytes, std::size_t size, const ImageHeader* wanted,
                 unsigned char* pixels, ImageMessage* message);
};

/// Writes an image of 1 or 3 channels (a PNG: 1 to 4) piece by piece: each goes to `write` with `to`.
using EncodeImage = bool (*)(const ImageHeader* image, const unsigned char* pixels, int quality,
                             void (*write)(void* to, const unsigned char* bytes, std::size_t size), void* to,
                             ImageMessage* message);

struct ImageCodecs {
  ImageCodec jpeg;
  ImageCodec png;
  ImageCodec gif;  // the first picture
  EncodeImage encode_jpeg;
  EncodeImage encode_png;  // `quality` says nothing
};
using ImageCodecsFunction = const ImageCodecs* (*)();

}  // namespace cornu::inline v0::io
