#pragma once

#include <cstddef>
#include <cstdint>

/// Interface between Cornu and libcornu_images.so, the only code that includes headers of libjpeg, libpng and
/// giflib. A C interface: no exceptions cross it.
namespace cornu::inline v0::io {

inline constexpr const char* kImageModuleName = "libcornu_images.so";
inline constexpr const char* kImageModuleSymbol = "cornu_image_codecs";

/// The claims of an untrusted file's header, before anything is allocated.
struct ImageHeader {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  // default channels of decoding
  /// The minimum size of a file with that many pixels, at the best compression.
  std::int64_t least_size_bytes = 0;
};

struct ImageMessage {
  char text[200];
};

/// Each function returns false, with a message, for a file that it cannot read.
struct ImageCodec {
  bool (*read_header)(const unsigned char* bytes, std::size_t size, ImageHeader* header,
                      ImageMessage* message);
  /// `pixels`: height * width * channels, rows from top to bottom.
  bool (*decode)(const unsigned char* bytes, std::size_t size, const ImageHeader* wanted,
                 unsigned char* pixels, ImageMessage* message);
};

/// Encodes an image of 1 or 3 channels (a PNG: 1 to 4) and passes each piece to `write` with `to`.
using EncodeImage = bool (*)(const ImageHeader* image, const unsigned char* pixels, int quality,
                             void (*write)(void* to, const unsigned char* bytes, std::size_t size), void* to,
                             ImageMessage* message);

struct ImageCodecs {
  ImageCodec jpeg;
  ImageCodec png;
  ImageCodec gif;  // the first picture
  EncodeImage encode_jpeg;
  EncodeImage encode_png;  // ignores `quality`
};
using ImageCodecsFunction = const ImageCodecs* (*)();

}  // namespace cornu::inline v0::io
