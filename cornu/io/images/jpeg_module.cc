#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <jerror.h>
#include <jpeglib.h>

#include "cornu/io/images/module.h"

namespace cornu::inline v0::io {
namespace {

constexpr int kMostScans = 500;  // in a progressive file: a small one may have thousands

/// libjpeg's errors jump to the function that entered the reader; no frame in between has a destructor.
struct ErrorManager {
  jpeg_error_mgr base;
  std::jmp_buf back;
  ImageMessage* message;
};

[[noreturn]] void leave(j_common_ptr info) {
  auto* const manager = reinterpret_cast<ErrorManager*>(info->err);
  char text[JMSG_LENGTH_MAX];
  (*info->err->format_message)(info, text);
  std::snprintf(manager->message->text, sizeof manager->message->text, "%.190s", text);
  std::longjmp(manager->back, 1);
}

// Ignores warnings, as TensorFlow does, except about a truncated file.
void note_message(j_common_ptr info, int level) {
  if (level < 0 && info->err->msg_code == JWRN_JPEG_EOF) leave(info);
}

void check_scans(j_common_ptr info) {
  auto* const decompress = reinterpret_cast<j_decompress_ptr>(info);
  if (decompress->input_scan_number <= kMostScans) return;
  auto* const manager = reinterpret_cast<ErrorManager*>(info->err);
  std::snprintf(manager->message->text, sizeof manager->message->text, "more than %d scans", kMostScans);
  std::longjmp(manager->back, 1);
}

/// Owns a decompressor.
struct Reader {
  jpeg_decompress_struct info = {};
  ErrorManager errors = {};
  jpeg_progress_mgr progress = {};
  std::unique_ptr<unsigned char[]> inks;  // a row of a CMYK image
  bool is_created = false;

  explicit Reader(ImageMessage* message) {
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = leave;
    errors.base.emit_message = note_message;
    errors.message = message;
    progress.progress_monitor = check_scans;
  }
  ~Reader() {
    if (is_created) jpeg_destroy_decompress(&info);
  }
  void open(const unsigned char* bytes, std::size_t size) {
    jpeg_create_decompress(&info);
    is_created = true;
    info.progress = &progress;
    jpeg_mem_src(&info, bytes, static_cast<unsigned long>(size));
    jpeg_read_header(&info, TRUE);
  }
};

bool is_cmyk(const jpeg_decompress_struct& info) {
  return info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
}

// A function that is the target of a jump must have no objects with destructors: the reader belongs to its
// caller.
bool read_header_with(Reader& reader, const unsigned char* bytes, std::size_t size, ImageHeader* header) {
  if (setjmp(reader.errors.back) != 0) return false;
  reader.open(bytes, size);
  const jpeg_decompress_struct& info = reader.info;
  // With arithmetic coding a few hundred bytes can be the largest possible JPEG.
  if (info.arith_code) {
    ImageMessage& message = *reader.errors.message;
    std::snprintf(message.text, sizeof message.text, "arithmetic coding is not read");
    return false;
  }
  header->height = info.image_height;
  header->width = info.image_width;
  header->channels = info.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3;
  // The component of full size has blocks of 64 samples, and a Huffman code takes at least one bit.
  constexpr std::int64_t kPixelsPerByte = 64 * 8;
  header->least_size_bytes = header->height * header->width / kPixelsPerByte;
  return true;
}

/// Converts a row of a CMYK image to RGB. Adobe's programs store the inks inverted.
void cmyk_to_rgb(const unsigned char* row, std::int64_t width, bool is_inverted, unsigned char* pixels) {
  for (std::int64_t x = 0; x < width; ++x, row += 4, pixels += 3)
    for (int c = 0; c < 3; ++c)
      pixels[c] = static_cast<unsigned char>(is_inverted ? row[3] * row[c] / 255
                                                         : (255 - row[3]) * (255 - row[c]) / 255);
}

bool decode_with(Reader& reader, const unsigned char* bytes, std::size_t size, const ImageHeader* wanted,
                 unsigned char* pixels) {
  if (setjmp(reader.errors.back) != 0) return false;
  reader.open(bytes, size);
  jpeg_decompress_struct& info = reader.info;
  const bool has_inks = is_cmyk(info);
  if (has_inks && wanted->channels != 3) {
    ImageMessage& message = *reader.errors.message;
    std::snprintf(message.text, sizeof message.text, "CMYK can only be decoded to three channels");
    return false;
  }
  info.out_color_space = has_inks ? JCS_CMYK : (wanted->channels == 1 ? JCS_GRAYSCALE : JCS_RGB);
  info.dct_method = JDCT_IFAST;  // TensorFlow's choice
  jpeg_start_decompress(&info);
  const auto row_size = static_cast<std::size_t>(wanted->width * wanted->channels);
  if (has_inks) reader.inks = std::make_unique<unsigned char[]>(static_cast<std::size_t>(wanted->width) * 4);
  while (info.output_scanline < info.output_height) {
    unsigned char* to = pixels + info.output_scanline * row_size;
    unsigned char* row = has_inks ? reader.inks.get() : to;
    if (jpeg_read_scanlines(&info, &row, 1) == 1 && has_inks)
      cmyk_to_rgb(row, wanted->width, info.saw_Adobe_marker, to);
  }
  jpeg_finish_decompress(&info);
  return true;
}

bool read_header(const unsigned char* bytes, std::size_t size, ImageHeader* header, ImageMessage* message) {
  Reader reader(message);
  return read_header_with(reader, bytes, size, header);
}

bool decode(const unsigned char* bytes, std::size_t size, const ImageHeader* wanted, unsigned char* pixels,
            ImageMessage* message) {
  Reader reader(message);
  return decode_with(reader, bytes, size, wanted, pixels);
}

}  // namespace

ImageCodec jpeg_codec() { return {read_header, decode}; }

namespace {

/// Owns a compressor.
struct Writer {
  jpeg_compress_struct info = {};
  ErrorManager errors = {};
  unsigned char* bytes = nullptr;
  unsigned long size = 0;

  explicit Writer(ImageMessage* message) {
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = leave;
    errors.message = message;
  }
  ~Writer() {
    jpeg_destroy_compress(&info);
    std::free(bytes);
  }
};

bool encode_with(Writer& writer, const ImageHeader* image, const unsigned char* pixels, int quality) {
  if (setjmp(writer.errors.back) != 0) return false;
  jpeg_compress_struct& info = writer.info;
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, &writer.bytes, &writer.size);
  info.image_width = static_cast<JDIMENSION>(image->width);
  info.image_height = static_cast<JDIMENSION>(image->height);
  info.input_components = static_cast<int>(image->channels);
  info.in_color_space = image->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  const auto row_size = static_cast<std::size_t>(image->width * image->channels);
  while (info.next_scanline < info.image_height) {
    auto* row = const_cast<unsigned char*>(pixels + info.next_scanline * row_size);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  return true;
}

}  // namespace

bool encode_jpeg(const ImageHeader* image, const unsigned char* pixels, int quality,
                 void (*write)(void* to, const unsigned char* bytes, std::size_t size), void* to,
                 ImageMessage* message) {
  Writer writer(message);
  if (!encode_with(writer, image, pixels, quality)) return false;
  write(to, writer.bytes, writer.size);
  return true;
}

}  // namespace cornu::inline v0::io
