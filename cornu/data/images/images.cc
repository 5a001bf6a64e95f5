#include "cornu/data/images/images.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/buffer_pool.h"
#include "cornu/data/images/resize.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::data {
namespace {

constexpr std::int64_t kMostChannels = 4;

template <typename T>
ImageView<T> view_of(const Tensor& image) {
  const Dims& dims = image.type().dims;
  return {reinterpret_cast<const T*>(image.bytes()), dims[0], dims[1], dims[2], dims[1] * dims[2]};
}
ImageView<std::uint8_t> view_of(const io::Image& image) {
  return {image.pixels.data(), image.height, image.width, image.channels, image.width * image.channels};
}

/// The centre of the image with the aspect ratio of the new image.
template <typename T>
ImageView<T> cropped(ImageView<T> image, const ImageSize& size) {
  const auto fitting = [](std::int64_t across, std::int64_t length, std::int64_t wanted, std::int64_t other) {
    const float whole = static_cast<float>(static_cast<double>(across) * static_cast<double>(wanted));
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(whole / static_cast<float>(other)), 1, length);
  };
  const std::int64_t height = fitting(image.width, image.height, size[0], size[1]);
  const std::int64_t width = fitting(image.height, image.width, size[1], size[0]);
  image.pixels += (image.height - height) / 2 * image.row_stride + (image.width - width) / 2 * image.channels;
  image.height = height;
  image.width = width;
  return image;
}

/// The part of the new image that is not padding.
struct Box {
  std::int64_t top, left, height, width;
};
Box padded_box(std::int64_t height, std::int64_t width, const ImageSize& size) {
  const auto h = static_cast<float>(height), w = static_cast<float>(width);
  const auto wanted_h = static_cast<float>(size[0]), wanted_w = static_cast<float>(size[1]);
  const float ratio = std::max(w / wanted_w, h / wanted_h);
  const auto padding = [](float wanted, float resized) {
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor((wanted - resized) / 2)));
  };
  Box box{padding(wanted_h, h / ratio), padding(wanted_w, w / ratio),
          static_cast<std::int64_t>(std::floor(h / ratio)), static_cast<std::int64_t>(std::floor(w / ratio))};
  box.height = std::clamp<std::int64_t>(box.height, 1, size[0] - box.top);
  box.width = std::clamp<std::int64_t>(box.width, 1, size[1] - box.left);
  return box;
}

struct Resizing {
  ImageSize size;
  ResizeImageOptions options;
  ResampleMethod method;
};

Resizing checked_resizing(const ImageSize& size, const ResizeImageOptions& options) {
  const std::optional<ResampleMethod> method = resample_method_named(options.interpolation);
  if (!method.has_value())
    invalid_argument(
        "[resize] interpolation must be bilinear, nearest, bicubic, area, lanczos3, lanczos5, gaussian or "
        "mitchellcubic; got \"{}\"",
        options.interpolation);
  if (size[0] < 1 || size[1] < 1)
    invalid_argument("[resize] the size must be positive; got {} x {}", size[0], size[1]);
  if (options.crop_to_aspect_ratio && options.pad_to_aspect_ratio)
    invalid_argument("[resize] only one of crop_to_aspect_ratio and pad_to_aspect_ratio can be set");
  return {size, options, *method};
}

/// Writes to memory of size[0] * size[1] * channels elements.
template <typename T, typename Out>
void resize_to(ImageView<T> image, const Resizing& resizing, Out* pixels) {
  Box box{0, 0, resizing.size[0], resizing.size[1]};
  const std::int64_t row_stride = box.width * image.channels;
  if (resizing.options.crop_to_aspect_ratio) image = cropped(image, resizing.size);
  if (resizing.options.pad_to_aspect_ratio) {
    std::fill_n(pixels, box.height * row_stride, Out{});
    box = padded_box(image.height, image.width, resizing.size);
  }
  Out* const begin = pixels + box.top * row_stride + box.left * image.channels;
  const ImageTarget<Out> to{begin, box.height, box.width, row_stride};
  if constexpr (std::is_same_v<T, Out>) {
    if (resizing.method == ResampleMethod::kNearest) return resize_nearest_into(image, to);
  }
  if constexpr (std::is_same_v<Out, float>)
    resize_into(image, {resizing.method, resizing.options.antialias}, to);
}

template <typename T>
Tensor resized_image(const ImageView<T>& image, const Resizing& resizing, BufferPool& pool) {
  const Dims dims = {resizing.size[0], resizing.size[1], image.channels};
  std::byte* data = nullptr;
  if (resizing.method == ResampleMethod::kNearest) {
    Tensor tensor = pool.take({*ir::kDTypeOf<T>, dims}, &data);
    resize_to(image, resizing, reinterpret_cast<T*>(data));
    return tensor;
  }
  Tensor tensor = pool.take({DType::kF32, dims}, &data);
  resize_to(image, resizing, reinterpret_cast<float*>(data));
  return tensor;
}

void check_image(const char* caller, const Tensor& image) {
  const TensorType& type = image.type();
  const bool is_image = type.dims.size() == 3 && type.dims[0] > 0 && type.dims[1] > 0 && type.dims[2] > 0 &&
                        type.dims[2] <= kMostChannels &&
                        (type.dtype == DType::kU8 || type.dtype == DType::kF32);
  if (!is_image)
    invalid_argument("[{}] an image is uint8 or float32 [height, width, 1 to 4 channels]; got {}", caller,
                     type.str());
}

template <typename T>
Tensor with_channels_first(const Tensor& image, BufferPool& pool) {
  const ImageView<T> view = view_of<T>(image);
  std::byte* data = nullptr;
  Tensor result = pool.take({image.type().dtype, {view.channels, view.height, view.width}}, &data);
  auto* to = reinterpret_cast<T*>(data);
  const std::int64_t count = view.height * view.width;
  for (std::int64_t c = 0; c < view.channels; ++c)
    for (std::int64_t i = 0; i < count; ++i) *to++ = view.pixels[i * view.channels + c];
  return result;
}

/// Memory of single images.
BufferPool& image_pool() {
  static BufferPool& pool = *new BufferPool();
  return pool;
}

template <std::size_t kBytes>
void reverse_pixels(const std::byte* from, std::int64_t count, std::byte* to) {
  for (std::int64_t i = count; i-- > 0; from += kBytes)
    std::memcpy(to + static_cast<std::size_t>(i) * kBytes, from, kBytes);
}

using ReversePixels = void (*)(const std::byte* from, std::int64_t count, std::byte* to);
ReversePixels reverse_pixels_of(std::int64_t channels, DType dtype) {
  constexpr ReversePixels kBytes[] = {reverse_pixels<1>, reverse_pixels<2>, reverse_pixels<3>,
                                      reverse_pixels<4>};
  constexpr ReversePixels kFloats[] = {reverse_pixels<4>, reverse_pixels<8>, reverse_pixels<12>,
                                       reverse_pixels<16>};
  return (dtype == DType::kU8 ? kBytes : kFloats)[channels - 1];
}

Tensor flipped(const char* caller, const Tensor& image, bool flips_rows) {
  check_image(caller, image);
  const Dims& dims = image.type().dims;
  const std::size_t row = static_cast<std::size_t>(dims[1] * dims[2]) * ir::size_bytes(image.dtype());
  const ReversePixels reverse = reverse_pixels_of(dims[2], image.dtype());
  std::byte* to = nullptr;
  Tensor result = image_pool().take(image.type(), &to);
  for (std::int64_t y = 0; y < dims[0]; ++y, to += row) {
    const std::byte* from = image.bytes() + static_cast<std::size_t>(flips_rows ? dims[0] - 1 - y : y) * row;
    flips_rows ? static_cast<void>(std::memcpy(to, from, row)) : reverse(from, dims[1], to);
  }
  return result;
}

/// A thread's decoding buffer, reused for each image; a large buffer is freed.
class ScratchImage {
 public:
  ScratchImage() : image_(std::move(kept())) {}
  ~ScratchImage() {
    constexpr std::size_t kMostKept = std::size_t{16} << 20;
    if (image_.pixels.capacity() <= kMostKept) kept() = std::move(image_);
  }
  ScratchImage(const ScratchImage&) = delete;
  ScratchImage& operator=(const ScratchImage&) = delete;
  io::Image& operator*() { return image_; }

 private:
  static io::Image& kept() {
    thread_local io::Image image;
    return image;
  }
  io::Image image_;
};

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

Tensor tensor_of(io::Image image) {
  return Tensor::adopt({image.height, image.width, image.channels}, std::move(image.pixels));
}

}  // namespace

Tensor decode_image(StringViewArgument bytes, StringViewArgument name,
                    const io::DecodeImageOptions& options) {
  return tensor_of(io::decode_image(bytes_of(bytes), name, options));
}

Tensor load_image(const StringArgument& path, const io::DecodeImageOptions& options) {
  return tensor_of(io::decode_image(io::read_file(path, options.limits), path, options));
}

Tensor resize_image(const Tensor& image, const ImageSize& size, const ResizeImageOptions& options) {
  const Resizing resizing = checked_resizing(size, options);
  check_image("resize", image);
  return image.dtype() == DType::kU8 ? resized_image(view_of<std::uint8_t>(image), resizing, image_pool())
                                     : resized_image(view_of<float>(image), resizing, image_pool());
}

Tensor flip_left_right(const Tensor& image) { return flipped("flip_left_right", image, false); }
Tensor flip_up_down(const Tensor& image) { return flipped("flip_up_down", image, true); }

ImageLoader::ImageLoader(Options options) : options_(std::move(options)) {
  checked_resizing(options_.size, options_.resize);
  if (options_.channels < 1 || options_.channels > kMostChannels)
    invalid_argument("[image] channels must be from 1 to 4; got {}", options_.channels);
}

Tensor ImageLoader::operator()(const std::string& path) const {
  const std::vector<std::byte> bytes = io::read_file(path);
  ScratchImage image;
  io::decode_image(bytes, path, {.channels = options_.channels}, *image);
  return resized(*image);
}

Tensor ImageLoader::decode(StringViewArgument bytes, StringViewArgument name) const {
  ScratchImage image;
  io::decode_image(bytes_of(bytes), name, {.channels = options_.channels}, *image);
  return resized(*image);
}

Tensor ImageLoader::resized(const io::Image& image) const {
  Tensor tensor =
      resized_image(view_of(image), checked_resizing(options_.size, options_.resize), image_pool());
  if (!options_.channels_first) return tensor;
  return tensor.dtype() == DType::kU8 ? with_channels_first<std::uint8_t>(tensor, image_pool())
                                      : with_channels_first<float>(tensor, image_pool());
}

}  // namespace cornu::inline v0::data
