#include "cornu/io/images/image.h"

#include <dlfcn.h>

#include <array>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/module_loader.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/images/bmp.h"
#include "cornu/io/images/module_interface.h"

namespace cornu::inline v0::io {
namespace {

[[noreturn]] void refuse_images(const std::string& why) {
  fail(ErrorCode::kFailedPrecondition, "[image] images cannot be decoded: {}", why);
}

const ImageCodecs& load_codecs() {
  const OwnModulePath found = find_own_module(kImageModuleName);
  if (found.path.empty()) refuse_images(found.reason);
  void* const handle = dlopen(found.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse_images(dlerror());
  const auto codecs = reinterpret_cast<ImageCodecsFunction>(dlsym(handle, kImageModuleSymbol));
  if (codecs == nullptr) refuse_images(fmt::format("{} has no {}", found.path.string(), kImageModuleSymbol));
  return *codecs();
}

const ImageCodecs& codecs() {
  static const ImageCodecs& loaded = load_codecs();
  return loaded;
}

template <std::size_t kSize>
bool begins_with(std::span<const std::byte> bytes, const std::array<unsigned char, kSize>& begin) {
  return bytes.size() >= kSize && std::memcmp(bytes.data(), begin.data(), kSize) == 0;
}

/// A file format, recognized by its first bytes.
struct ImageKind {
  const char* name;
  ImageCodec codec;
  std::string_view channels;  // channels that it can be decoded into, each a digit
};

/// Errors: DataLoss for a file of another kind.
ImageKind kind_of(std::span<const std::byte> bytes, std::string_view name) {
  constexpr std::array<unsigned char, 3> kJpegBegin = {0xff, 0xd8, 0xff};
  constexpr std::array<unsigned char, 8> kPngBegin = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  constexpr std::array<unsigned char, 4> kGifBegin = {'G', 'I', 'F', '8'};
  constexpr std::array<unsigned char, 2> kBmpBegin = {'B', 'M'};
  if (begins_with(bytes, kJpegBegin)) return {"JPEG", codecs().jpeg, "13"};
  if (begins_with(bytes, kPngBegin)) return {"PNG", codecs().png, "1234"};
  if (begins_with(bytes, kGifBegin)) return {"GIF", codecs().gif, "3"};
  if (begins_with(bytes, kBmpBegin)) return {"BMP", bmp_codec(), "34"};
  corrupt(name, 0, "not a PNG, JPEG, GIF or BMP; other formats are not read");
}

void check_channels(std::string_view name, const ImageKind& kind, std::int64_t channels) {
  if (channels < 0 || channels > 4)
    invalid_argument({.argument = "channels"}, "[image] channels must be from 0 to 4; got {}", channels);
  if (channels != 0 && kind.channels.find(static_cast<char>('0' + channels)) == std::string_view::npos)
    invalid_argument({.argument = "channels"},
                     "[image] {}: a {} is decoded into its own channels (0) or {}; got channels = {}",
                     shown(name), kind.name, fmt::join(kind.channels, " or "), channels);
}

std::string encode_with(EncodeImage encode, const Image& image, int quality, std::int64_t most_channels) {
  const bool has_channels =
      image.channels >= 1 && image.channels <= most_channels && (most_channels == 4 || image.channels != 2);
  constexpr std::int64_t kLongest = 65500;  // libjpeg's limit
  if (!has_channels || image.height < 1 || image.width < 1 || image.height > kLongest ||
      image.width > kLongest ||
      static_cast<std::int64_t>(image.pixels.size()) != image.height * image.width * image.channels)
    invalid_argument("[image] {} bytes cannot be written as an image of {} x {} x {}", image.pixels.size(),
                     image.height, image.width, image.channels);
  const ImageHeader header{.height = image.height, .width = image.width, .channels = image.channels};
  std::string bytes;
  const auto write = [](void* to, const unsigned char* more, std::size_t size) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(more), size);
  };
  ImageMessage message = {};
  if (!encode(&header, image.pixels.data(), quality, write, &bytes, &message))
    fail(ErrorCode::kInternal, "[image] an image cannot be written: {}", message.text);
  return bytes;
}

}  // namespace

std::string encode_jpeg(const Image& image, int quality) {
  if (quality < 1 || quality > 100)
    invalid_argument("[image] quality must be from 1 to 100; got {}", quality);
  return encode_with(codecs().encode_jpeg, image, quality, 3);
}

std::string encode_png(const Image& image) { return encode_with(codecs().encode_png, image, 0, 4); }

void decode_image(std::span<const std::byte> bytes, StringViewArgument name,
                  const DecodeImageOptions& options, Image& image) {
  const ImageKind kind = kind_of(bytes, name);
  check_channels(name, kind, options.channels);
  const ImageCodec& codec = kind.codec;
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  ImageHeader header;
  ImageMessage message = {};
  const auto fail_damaged = [&] {
    corrupt(name, 0, fmt::format("this {} cannot be decoded: {}", kind.name, message.text));
  };
  if (!codec.read_header(data, bytes.size(), &header, &message)) fail_damaged();
  if (header.height < 1 || header.width < 1) corrupt(name, 0, "an image without pixels");
  if (header.least_size_bytes > static_cast<std::int64_t>(bytes.size()))
    corrupt(name, 0,
            fmt::format("its header states {} x {} pixels, which {} bytes cannot hold", header.height,
                        header.width, bytes.size()));
  if (options.channels != 0) header.channels = options.channels;
  const CheckedSize size = CheckedSize(header.height) * header.width * header.channels;
  check_size(name, "its pixels", static_cast<std::uint64_t>(size.value("[image] the pixels")),
             options.limits);
  image.pixels = with_host_memory(
      size, [&] { return fmt::format("[image] {}", shown(name)); },
      [&] {
        std::vector<std::uint8_t> pixels = std::move(image.pixels);
        pixels.resize(static_cast<std::size_t>(size.value("the pixels")));
        return pixels;
      });
  image.height = header.height;
  image.width = header.width;
  image.channels = header.channels;
  if (!codec.decode(data, bytes.size(), &header, image.pixels.data(), &message)) fail_damaged();
}

Image decode_image(std::span<const std::byte> bytes, StringViewArgument name,
                   const DecodeImageOptions& options) {
  Image image;
  decode_image(bytes, name, options, image);
  return image;
}

}  // namespace cornu::inline v0::io
