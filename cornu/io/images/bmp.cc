#include "cornu/io/images/bmp.h"

#include <cstdio>
#include <cstring>
#include <limits>

namespace cornu::inline v0::io {
namespace {

struct BmpLayout {
  std::int64_t pixels = 0;  // offset of the pixels
  std::int64_t width = 0, height = 0, channels = 0, row_bytes = 0;
  bool is_top_down = false;
};

template <typename T>
T little_endian(const unsigned char* from) {
  std::uint32_t value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) value = value << 8 | from[i];
  return static_cast<T>(value);
}

bool fail(ImageMessage* message, const char* text) {
  std::snprintf(message->text, sizeof message->text, "%.190s", text);
  return false;
}

bool read_layout(const unsigned char* bytes, std::size_t size, BmpLayout* layout, ImageMessage* message) {
  constexpr std::size_t kHeaderBytes = 34;
  if (size < kHeaderBytes) return fail(message, "the file ends in its header");
  layout->pixels = little_endian<std::int32_t>(bytes + 10);
  layout->width = little_endian<std::int32_t>(bytes + 18);
  layout->height = little_endian<std::int32_t>(bytes + 22);
  const int bits = little_endian<std::int16_t>(bytes + 28);
  const auto compression = little_endian<std::uint32_t>(bytes + 30);
  constexpr std::uint32_t kPlain = 0, kBitFields = 3;
  if (bits != 8 && bits != 24 && bits != 32) return fail(message, "only 8, 24 and 32 bits a pixel are read");
  if (compression != kPlain && !(compression == kBitFields && bits == 32))
    return fail(message, "compressed bitmaps are not read");
  if (layout->width < 1 || layout->height == 0 || layout->pixels < 0)
    return fail(message, "its header has no size");
  layout->is_top_down = layout->height < 0;
  if (layout->is_top_down) layout->height = -layout->height;
  layout->channels = bits / 8;
  layout->row_bytes = (layout->width * bits + 31) / 32 * 4;
  return true;
}

bool read_header(const unsigned char* bytes, std::size_t size, ImageHeader* header, ImageMessage* message) {
  BmpLayout layout;
  if (!read_layout(bytes, size, &layout, message)) return false;
  header->height = layout.height;
  header->width = layout.width;
  header->channels = layout.channels;
  // Both extents may be 2^31 with four bytes a pixel: more than 63 bits, which no file has.
  std::int64_t rows_bytes = 0, least = 0;
  const bool is_beyond =
      __builtin_mul_overflow(layout.height - 1, layout.row_bytes, &rows_bytes) ||
      __builtin_add_overflow(rows_bytes, layout.pixels + layout.width * layout.channels, &least);
  header->least_size_bytes = is_beyond ? std::numeric_limits<std::int64_t>::max() : least;
  return true;
}

/// The sizes were checked against the file before. Gray levels become three equal colors, and images without
/// alpha are opaque.
bool decode(const unsigned char* bytes, std::size_t size, const ImageHeader* wanted, unsigned char* pixels,
            ImageMessage* message) {
  BmpLayout layout;
  if (!read_layout(bytes, size, &layout, message)) return false;
  const bool is_gray = layout.channels == 1, has_alpha = layout.channels == 4;
  for (std::int64_t y = 0; y < layout.height; ++y) {
    const std::int64_t row = layout.is_top_down ? y : layout.height - 1 - y;
    const unsigned char* from = bytes + layout.pixels + row * layout.row_bytes;
    for (std::int64_t x = 0; x < layout.width; ++x, from += layout.channels, pixels += wanted->channels) {
      pixels[0] = from[is_gray ? 0 : 2];
      if (wanted->channels == 1) continue;
      pixels[1] = from[is_gray ? 0 : 1];
      pixels[2] = from[0];
      if (wanted->channels == 4) pixels[3] = has_alpha ? from[3] : 0xff;
    }
  }
  return true;
}

}  // namespace

ImageCodec bmp_codec() { return {read_header, decode}; }

}  // namespace cornu::inline v0::io
