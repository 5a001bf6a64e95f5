#include <gif_lib.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "cornu/io/images/module.h"

namespace cornu::inline v0::io {
namespace {

struct Input {
  const unsigned char* bytes;
  std::size_t size;
  std::size_t place = 0;
};

int read_bytes(GifFileType* gif, GifByteType* to, int count) {
  auto* const input = static_cast<Input*>(gif->UserData);
  const std::size_t given =
      std::min(static_cast<std::size_t>(std::max(count, 0)), input->size - input->place);
  std::memcpy(to, input->bytes + input->place, given);
  input->place += given;
  return static_cast<int>(given);
}

bool fail(ImageMessage* message, const char* text) {
  std::snprintf(message->text, sizeof message->text, "%.190s", text);
  return false;
}

/// Reads a file up to the pixels of its first picture.
struct Reader {
  Input input;
  GifFileType* gif = nullptr;
  int transparent = NO_TRANSPARENT_COLOR;

  Reader(const unsigned char* bytes, std::size_t size) : input{bytes, size} {}
  ~Reader() {
    if (gif != nullptr) DGifCloseFile(gif, nullptr);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool fail_here(ImageMessage* message) const {
    const char* const text = gif == nullptr ? nullptr : GifErrorString(gif->Error);
    return fail(message, text == nullptr ? "the file is damaged" : text);
  }

  bool open(ImageMessage* message) {
    int error = 0;
    gif = DGifOpen(&input, read_bytes, &error);
    if (gif == nullptr) {
      const char* const text = GifErrorString(error);
      return fail(message, text == nullptr ? "the file is damaged" : text);
    }
    while (true) {
      GifRecordType type = UNDEFINED_RECORD_TYPE;
      if (DGifGetRecordType(gif, &type) != GIF_OK) return fail_here(message);
      if (type == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(gif) == GIF_OK || fail_here(message);
      if (type != EXTENSION_RECORD_TYPE) return fail(message, "it holds no picture");
      if (!pass_extension()) return fail_here(message);
    }
  }

  bool pass_extension() {
    int code = 0;
    GifByteType* content = nullptr;
    if (DGifGetExtension(gif, &code, &content) != GIF_OK) return false;
    while (content != nullptr) {
      GraphicsControlBlock control;
      if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(content[0], content + 1, &control) == GIF_OK)
        transparent = control.TransparentColor;
      if (DGifGetExtensionNext(gif, &content) != GIF_OK) return false;
    }
    return true;
  }
};

bool read_header(const unsigned char* bytes, std::size_t size, ImageHeader* header, ImageMessage* message) {
  Reader reader(bytes, size);
  if (!reader.open(message)) return false;
  header->height = reader.gif->Image.Height;
  header->width = reader.gif->Image.Width;
  header->channels = 3;
  // A code of 12 bits represents at most 4,096 pixels.
  constexpr std::int64_t kMostOfOne = 4096;
  header->least_size_bytes = header->height * header->width / kMostOfOne;
  return true;
}

/// Draws one line of colors at the picture's offset: pixels outside the picture's own size are cut off,
/// transparent ones stay black.
bool draw_line(const Reader& reader, const std::vector<GifPixelType>& line, const ColorMapObject& colors,
               unsigned char* pixels) {
  const GifImageDesc& image = reader.gif->Image;
  for (int x = 0; x < image.Width; ++x) {
    const int color = line[static_cast<std::size_t>(x)];
    if (image.Left + x >= image.Width) break;
    if (color == reader.transparent) continue;
    if (color >= colors.ColorCount) return false;
    const GifColorType& rgb = colors.Colors[color];
    unsigned char* const to = pixels + 3 * static_cast<std::size_t>(image.Left + x);
    to[0] = rgb.Red;
    to[1] = rgb.Green;
    to[2] = rgb.Blue;
  }
  return true;
}

bool decode(const unsigned char* bytes, std::size_t size, const ImageHeader* wanted, unsigned char* pixels,
            ImageMessage* message) {
  Reader reader(bytes, size);
  if (!reader.open(message)) return false;
  const GifImageDesc& image = reader.gif->Image;
  const ColorMapObject* const colors = image.ColorMap != nullptr ? image.ColorMap : reader.gif->SColorMap;
  if (colors == nullptr) return fail(message, "it has no colors");
  if (image.Height != wanted->height || image.Width != wanted->width || image.Left < 0 || image.Top < 0)
    return fail(message, "its sizes contradict each other");
  const std::size_t row_size = 3 * static_cast<std::size_t>(image.Width);
  std::memset(pixels, 0, row_size * static_cast<std::size_t>(image.Height));
  std::vector<GifPixelType> line(static_cast<std::size_t>(image.Width));
  // Interlaced lines are stored in four passes.
  constexpr int kFirst[] = {0, 4, 2, 1}, kStep[] = {8, 8, 4, 2};
  for (int pass = image.Interlace ? 0 : 3; pass < 4; ++pass)
    for (int y = image.Interlace ? kFirst[pass] : 0; y < image.Height;
         y += image.Interlace ? kStep[pass] : 1) {
      if (DGifGetLine(reader.gif, line.data(), image.Width) != GIF_OK) return reader.fail_here(message);
      if (image.Top + y >= image.Height) continue;
      if (!draw_line(reader, line, *colors, pixels + static_cast<std::size_t>(image.Top + y) * row_size))
        return fail(message, "a pixel has a color that is not in the palette");
    }
  return true;
}

}  // namespace

ImageCodec gif_codec() { return {read_header, decode}; }

}  // namespace cornu::inline v0::io
