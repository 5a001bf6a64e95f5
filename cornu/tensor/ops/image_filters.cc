#include <algorithm>
#include <array>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/conv.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/image_geometry.h"
#include "cornu/tensor/ops/image_support.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

/// Convolutions of images with fixed kernels.
namespace cornu::inline v0::ops {
namespace {

using namespace internal;

/// A line of a normal distribution, whose sum is 1.
std::vector<float> gaussian_line(std::int64_t size, double sigma) {
  std::vector<double> line(static_cast<std::size_t>(size));
  double total = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const double place = (static_cast<double>(i) - static_cast<double>(size - 1) / 2) / sigma;
    total += line[static_cast<std::size_t>(i)] = std::exp(-0.5 * place * place);
  }
  std::vector<float> shares;
  shares.reserve(line.size());
  for (const double value : line) shares.push_back(static_cast<float>(value / total));
  return shares;
}

/// Convolves each channel of [batch, rows, columns, channels] along its columns with one line, then along its rows
/// with the other.
struct Lines {
  std::vector<float> of_rows, of_columns;
};
Tensor filtered_by_lines(const Tensor& images, const Lines& lines, std::string_view padding) {
  const auto as_tensor = [&](const std::vector<float>& line) {
    return cast(Tensor::from<float>({static_cast<std::int64_t>(line.size())}, line), images.dtype());
  };
  const Tensor by_rows = filtered_along_rows(images, as_tensor(lines.of_rows), padding);
  return swapaxes(filtered_along_rows(swapaxes(by_rows, 1, 2), as_tensor(lines.of_columns), padding), 1, 2);
}

}  // namespace

Tensor internal::filtered_along_rows(const Tensor& images, const Tensor& line, std::string_view padding) {
  const Dims& dims = images.shape();
  const std::int64_t channels = dims[2] * dims[3], size = line.shape()[0];
  const Tensor kernel = broadcast_to(reshape(line, {size, 1, 1}), {size, channels, 1});
  const Tensor filtered = depthwise_conv(reshape(images, {dims[0], dims[1], channels}), kernel,
                                         {.padding = padding, .data_format = "channels_last"});
  return reshape(filtered, {dims[0], filtered.shape()[1], dims[2], dims[3]});
}

Tensor gaussian_blur(const Tensor& images, const GaussianBlurOptions& options) {
  const ImageBatch batch("gaussian_blur", images, options.data_format);
  const Dims& sizes = options.kernel_size.values();
  const std::vector<double>& sigmas = options.sigma;
  if (sizes.size() != 2 || sizes[0] < 1 || sizes[1] < 1)
    invalid_argument({.argument = "kernel_size"},
                     "[gaussian_blur] kernel_size must be two positive numbers; got kernel_size = {}",
                     ir::shape_str(sizes));
  if (sigmas.size() != 2 || !(sigmas[0] > 0) || !(sigmas[1] > 0))
    invalid_argument({.argument = "sigma"}, "[gaussian_blur] sigma must be two positive numbers");
  const Lines lines = {gaussian_line(sizes[1], sigmas[1]), gaussian_line(sizes[0], sigmas[0])};
  return batch.restored(filtered_by_lines(as_float(batch.images()), lines, "same"));
}

Tensor sobel_edges(const Tensor& images, const ImageOptions& options) {
  if (images.rank() != 4)
    invalid_argument("[sobel_edges] images must have 4 axes; got shape {}", ir::shape_str(images.shape()));
  const ImageBatch batch("sobel_edges", images, options.data_format);
  const std::vector<float> smooth = {1, 2, 1}, change = {-1, 0, 1};
  const Tensor given = as_float(batch.images());
  const Tensor by_rows = filtered_by_lines(given, {change, smooth}, "same");
  const Tensor by_columns = filtered_by_lines(given, {smooth, change}, "same");
  return stack({batch.restored(by_rows), batch.restored(by_columns)}, -1);
}

/// Patches that neither overlap nor have padding, of [batch, rows, columns, channels].
Tensor adjacent_patches(const Tensor& images, const Dims& sizes) {
  const Dims& dims = images.shape();
  const std::int64_t rows = dims[1] / sizes[0], columns = dims[2] / sizes[1];
  const Tensor whole =
      slice(images, Dims{0, 0, 0, 0}, Dims{dims[0], rows * sizes[0], columns * sizes[1], dims[3]});
  const Tensor parts = reshape(whole, {dims[0], rows, sizes[0], columns, sizes[1], dims[3]});
  return reshape(transpose(parts, {0, 1, 3, 2, 4, 5}),
                 {dims[0], rows, columns, sizes[0] * sizes[1] * dims[3]});
}

Tensor extract_patches(const Tensor& images, const IntOrInts& size, const ExtractPatchesOptions& options) {
  const Dims sizes = size.is_list() ? size.values() : Dims(2, size.values()[0]);
  const auto num_axes = static_cast<std::int64_t>(sizes.size());
  if (num_axes != 2 && num_axes != 3)
    invalid_argument({.argument = "size"}, "[extract_patches] size must be one, two or three numbers; got {}",
                     ir::shape_str(sizes));
  if (images.rank() != num_axes + 1 && images.rank() != num_axes + 2)
    invalid_argument("[extract_patches] a size of {} numbers needs {} or {} axes; got shape {}", num_axes,
                     num_axes + 1, num_axes + 2, ir::shape_str(images.shape()));
  const bool is_single = images.rank() == num_axes + 1;
  const Tensor batch = is_single ? expand_dims(images, 0) : images;
  const std::int64_t channels =
      options.data_format == "channels_first" ? batch.shape()[1] : batch.shape().back();
  const auto is_one = [](std::int64_t x) { return x == 1; };
  const Dims dilation = options.dilation_rate.values();
  const bool has_strides = options.strides.has_value();
  if (num_axes == 2 && options.data_format == "channels_last" && options.padding == "valid" && !has_strides &&
      std::all_of(dilation.begin(), dilation.end(), is_one) && sizes[0] > 0 && sizes[1] > 0 &&
      sizes[0] <= batch.shape()[1] && sizes[1] <= batch.shape()[2]) {
    const Tensor patches = adjacent_patches(batch, sizes);
    return is_single ? squeeze(patches, 0) : patches;
  }
  // A patch is a convolution with the identity: each of its elements is a filter.
  Dims kernel_shape = sizes;
  std::int64_t count = channels;
  for (const std::int64_t extent : sizes) count *= extent;
  kernel_shape.insert(kernel_shape.end(), {channels, count});
  const Tensor given = as_float(batch);
  const Tensor kernel = reshape(eye(count, {.dtype = given.dtype()}), kernel_shape);
  const Tensor patches = conv(given, kernel,
                              {.strides = options.strides.value_or(IntOrInts(sizes)),
                               .padding = options.padding,
                               .data_format = options.data_format,
                               .dilation_rate = options.dilation_rate});
  const Tensor result = cast(patches, images.dtype());
  return is_single ? squeeze(result, 0) : result;
}

Tensor extract_patches_3d(const Tensor& volumes, const IntOrInts& size,
                          const ExtractPatchesOptions& options) {
  if (size.is_list() && size.values().size() != 3)
    invalid_argument({.argument = "size"}, "[extract_patches_3d] size must be one or three numbers; got {}",
                     ir::shape_str(size.values()));
  return extract_patches(volumes, size.is_list() ? size : IntOrInts(Dims(3, size.values()[0])), options);
}

Tensor ssim(const Tensor& image1, const Tensor& image2, const SsimOptions& options) {
  if (image1.shape() != image2.shape())
    invalid_argument("[ssim] the images must have one shape; got {} and {}", ir::shape_str(image1.shape()),
                     ir::shape_str(image2.shape()));
  const ImageBatch first("ssim", image1, options.data_format), second("ssim", image2, options.data_format);
  if (options.filter_size < 1 || first.rows() < options.filter_size || first.columns() < options.filter_size)
    invalid_argument(
        {.argument = "filter_size"},
        "[ssim] filter_size must be positive and fit the images; got filter_size = {} for shape {}",
        options.filter_size, ir::shape_str(image1.shape()));
  const std::vector<float> line = gaussian_line(options.filter_size, options.filter_sigma);
  const auto mean_of = [&](const Tensor& x) { return filtered_by_lines(x, {line, line}, "valid"); };
  const Tensor x = as_float(first.images()), y = as_float(second.images());
  const Tensor mean_x = mean_of(x), mean_y = mean_of(y), product = mean_x * mean_y;
  const Tensor squares = square(mean_x) + square(mean_y);
  const Tensor variances = mean_of(square(x)) + mean_of(square(y)) - squares;
  const Tensor covariance = mean_of(x * y) - product;
  const double c1 = std::pow(options.k1 * options.max_val, 2), c2 = std::pow(options.k2 * options.max_val, 2);
  const Tensor similarity =
      (product * 2.0 + c1) * (covariance * 2.0 + c2) / ((squares + c1) * (variances + c2));
  const Tensor result = cast(mean(similarity, {.axis = {1, 2, 3}}), image1.dtype());
  return image1.rank() == 3 ? squeeze(result, 0) : result;
}

}  // namespace cornu::inline v0::ops
