#include <png.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "cornu/io/images/module.h"

namespace cornu::inline v0::io {
namespace {

struct Input {
  const unsigned char* bytes;
  std::size_t size;
  std::size_t place = 0;
};

void fail(png_structp png, png_const_charp text) {
  auto* const message = static_cast<ImageMessage*>(png_get_error_ptr(png));
  std::snprintf(message->text, sizeof message->text, "%.190s", text);
  png_longjmp(png, 1);
}
void pass_over(png_structp, png_const_charp) {}

void read_bytes(png_structp png, png_bytep to, png_size_t count) {
  auto* const input = static_cast<Input*>(png_get_io_ptr(png));
  if (count > input->size - input->place) png_error(png, "the file ends too early");
  std::memcpy(to, input->bytes + input->place, count);
  input->place += count;
}

/// Owns libpng's state of a file. Its errors jump to the function that entered the reader.
struct Reader {
  Input input;
  png_structp png = nullptr;
  png_infop info = nullptr;

  Reader(const unsigned char* bytes, std::size_t size, ImageMessage* message) : input{bytes, size} {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message, fail, pass_over);
    if (png != nullptr) info = png_create_info_struct(png);
    if (info == nullptr) std::snprintf(message->text, sizeof message->text, "there is not enough memory");
  }
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
  void open() {
    // Memory limit of text and other chunks beside the pixels.
    constexpr png_alloc_size_t kMostChunkBytes = 8 << 20;
    constexpr png_uint_32 kMostChunks = 128, kMostPixels = 0x7fffffff;
    png_set_chunk_malloc_max(png, kMostChunkBytes);
    png_set_chunk_cache_max(png, kMostChunks);
    png_set_user_limits(png, kMostPixels, kMostPixels);
    png_set_read_fn(png, &input, read_bytes);
    png_read_info(png, info);
  }
};

std::int64_t own_channels(const Reader& reader) {
  if (png_get_color_type(reader.png, reader.info) == PNG_COLOR_TYPE_PALETTE)
    return png_get_valid(reader.png, reader.info, PNG_INFO_tRNS) != 0 ? 4 : 3;
  return png_get_channels(reader.png, reader.info);
}

// A function that is the target of a jump must have no objects with destructors: the reader belongs to its
// caller.
bool read_header_with(Reader& reader, ImageHeader* header) {
  if (reader.info == nullptr || setjmp(png_jmpbuf(reader.png)) != 0) return false;
  reader.open();
  header->height = png_get_image_height(reader.png, reader.info);
  header->width = png_get_image_width(reader.png, reader.info);
  header->channels = own_channels(reader);
  // Deflate produces at most 1,032 bytes of one; each row begins with a byte for its filter. The product may
  // exceed 63 bits.
  constexpr std::int64_t kMostOfOne = 1032;
  const auto row_bytes = static_cast<std::int64_t>(png_get_rowbytes(reader.png, reader.info)) + 1;
  header->least_size_bytes =
      row_bytes / kMostOfOne * header->height + row_bytes % kMostOfOne * header->height / kMostOfOne;
  return true;
}

/// Sets the output format: 8 bits a channel, and the wanted number of channels.
void set_transformations(const Reader& reader, std::int64_t channels) {
  png_structp const png = reader.png;
  const int color = png_get_color_type(png, reader.info);
  const bool is_gray = (color & PNG_COLOR_MASK_COLOR) == 0;
  const bool has_transparency = png_get_valid(png, reader.info, PNG_INFO_tRNS) != 0;
  const bool has_alpha = (color & PNG_COLOR_MASK_ALPHA) != 0;
  const bool wants_alpha = channels % 2 == 0, wants_gray = channels < 3;
  png_set_strip_16(png);
  png_set_packing(png);
  if (!wants_alpha && (has_alpha || has_transparency)) png_set_strip_alpha(png);
  if (wants_alpha && has_transparency) png_set_tRNS_to_alpha(png);
  if (wants_alpha && !has_alpha && !has_transparency) png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (is_gray && png_get_bit_depth(png, reader.info) < 8) png_set_expand_gray_1_2_4_to_8(png);
  constexpr double kRed = 0.299, kGreen = 0.587;  // weights of luma
  if (wants_gray && !is_gray) png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, kRed, kGreen);
  if (!wants_gray && is_gray) png_set_gray_to_rgb(png);
}

bool decode_with(Reader& reader, const ImageHeader* wanted, unsigned char* pixels) {
  if (reader.info == nullptr || setjmp(png_jmpbuf(reader.png)) != 0) return false;
  reader.open();
  set_transformations(reader, wanted->channels);
  const int num_passes = png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  const auto row_size = static_cast<std::size_t>(wanted->width * wanted->channels);
  if (png_get_rowbytes(reader.png, reader.info) != row_size)
    png_error(reader.png, "the pixels have another format than the header states");
  for (int pass = 0; pass < num_passes; ++pass)
    for (std::int64_t y = 0; y < wanted->height; ++y)
      png_read_row(reader.png, pixels + static_cast<std::size_t>(y) * row_size, nullptr);
  return true;
}

bool read_header(const unsigned char* bytes, std::size_t size, ImageHeader* header, ImageMessage* message) {
  Reader reader(bytes, size, message);
  return read_header_with(reader, header);
}

bool decode(const unsigned char* bytes, std::size_t size, const ImageHeader* wanted, unsigned char* pixels,
            ImageMessage* message) {
  Reader reader(bytes, size, message);
  return decode_with(reader, wanted, pixels);
}

}  // namespace

ImageCodec png_codec() { return {read_header, decode}; }

bool encode_png(const ImageHeader* image, const unsigned char* pixels, int /*quality*/,
                void (*write)(void* to, const unsigned char* bytes, std::size_t size), void* to,
                ImageMessage* message) {
  constexpr png_uint_32 kFormats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
  png_image out = {};
  out.version = PNG_IMAGE_VERSION;
  out.width = static_cast<png_uint_32>(image->width);
  out.height = static_cast<png_uint_32>(image->height);
  out.format = kFormats[image->channels - 1];
  png_alloc_size_t size = 0;
  std::unique_ptr<unsigned char[]> bytes;
  bool is_written = png_image_write_get_memory_size(out, size, 0, pixels, 0, nullptr) != 0;
  if (is_written) {
    bytes.reset(new (std::nothrow) unsigned char[size]);
    is_written =
        bytes != nullptr && png_image_write_to_memory(&out, bytes.get(), &size, 0, pixels, 0, nullptr) != 0;
  }
  if (is_written)
    write(to, bytes.get(), size);
  else
    std::snprintf(message->text, sizeof message->text, "%.64s", out.message);
  png_image_free(&out);
  return is_written;
}

}  // namespace cornu::inline v0::io

extern "C" __attribute__((visibility("default"))) const cornu::io::ImageCodecs* cornu_image_codecs() {
  static const cornu::io::ImageCodecs codecs = {cornu::io::jpeg_codec(), cornu::io::png_codec(),
                                                cornu::io::gif_codec(), cornu::io::encode_jpeg,
                                                cornu::io::encode_png};
  return &codecs;
}
