#include "cornu/io/images/image.h"

#include <dlfcn.h>

#include <array>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/module_loader.h"
#include "cornu/io/byte_reader.h"
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

constexpr std::array<unsigned char, 3> kJpegBegin = {0xff, 0xd8, 0xff};
constexpr std::array<unsigned char, 8> kPngBegin = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

template <std::size_t kSize>
bool begins_with(std::span<const std::byte> bytes, const std::array<unsigned char, kSize>& begin) {
  return bytes.size() >= kSize && std::memcmp(bytes.data(), begin.data(), kSize) == 0;
}

void check_channels(std::string_view name, bool is_jpeg, std::int64_t channels) {
  if (channels < 0 || channels > 4)
    invalid_argument("[image] channels must be from 0 to 4; got {}", channels);
  if (is_jpeg && channels != 0 && channels != 1 && channels != 3)
    invalid_argument("[image] {}: a JPEG is decoded into 1 or 3 channels; got channels = {}", shown(name),
                     channels);
}

std::string encode_with(EncodeImage encode, const Image& image, int quality, std::int64_t most_channels) {
  const bool has_channels =
      image.channels >= 1 && image.channels <= most_channels && (most_channels == 4 || image.channels != 2);
  constexpr std::int64_t kLongest = 65500;  // libjpeg's
  if (!has_channels || image.height < 1 || image.width < 1 || image.height > kLongest ||
      image.width > kLongest ||
      static_cast<std::int64_t>(image.pixels.size()) != image.height * image.width * image.channels)
    invalid_argument("[image] {} bytes are no image of {} x {} x {} that can be written", image.pixels.size(),
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

void decode_image(std::span<const std::byte> bytes, std::string_view name, const DecodeImageOptions& options,
                  Image& image) {
  const bool is_jpeg = begins_with(bytes, kJpegBegin);
  if (!is_jpeg && !begins_with(bytes, kPngBegin))
    corrupt(name, 0, "neither a PNG nor a JPEG; other kinds of images are not read");
  check_channels(name, is_jpeg, options.channels);
  const ImageCodec& codec = is_jpeg ? codecs().jpeg : codecs().png;
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  ImageHeader header;
  ImageMessage message = {};
  const auto fail_damaged = [&] {
    corrupt(name, 0, fmt::format("no {} that can be decoded: {}", is_jpeg ? "JPEG" : "PNG", message.text));
  };
  if (!codec.read_header(data, bytes.size(), &header, &message)) fail_damaged();
  if (header.height < 1 || header.width < 1) corrupt(name, 0, "an image without pixels");
  if (header.least_size_bytes > static_cast<std::int64_t>(bytes.size()))
    corrupt(name, 0,
            fmt::format("it says that it has {} x {} pixels, which {} bytes cannot hold", header.height,
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

Image decode_image(std::span<const std::byte> bytes, std::string_view name,
                   const DecodeImageOptions& options) {
  Image image;
  decode_image(bytes, name, options, image);
  return image;
}

}  // namespace cornu::inline v0::io
