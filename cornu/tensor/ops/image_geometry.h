#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/ops/data_format.h"
#include "cornu/tensor/ops/image.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/value/tensor.h"

/// Functions of keras.ops.image that move, resample and filter pixels.
///
/// Shapes:    images [batch, rows, columns, channels], or one of them without the batch; with data_format
///            "channels_first" the channels come before the rows.
/// Errors:    InvalidArgument with the function's name for other ranks and for unknown names.
namespace cornu::inline v0::ops {

struct ResizeOptions {  // options/ops.toml
  /// "nearest", "bilinear", "bicubic", "lanczos3" or "lanczos5".
  std::string_view interpolation = "bilinear";
  /// True: the kernel is widened where images are made smaller, so that they are smoothed.
  bool antialias = false;
  /// True: images are cropped to the ratio of size first, so that they are not distorted.
  bool crop_to_aspect_ratio = false;
  /// True: images are padded to the ratio of size first, so that they are not distorted.
  bool pad_to_aspect_ratio = false;
  /// Values around images with pad_to_aspect_ratio: "constant" only.
  std::string_view fill_mode = "constant";
  /// Value around images with pad_to_aspect_ratio.
  double fill_value = 0;
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// Images of another size, size = {rows, columns}. The dtype stays; integers are rounded and saturate.
/// Errors: InvalidArgument unless size is two positive numbers, and for both crop_to_aspect_ratio and
///         pad_to_aspect_ratio.
Tensor resize(const Tensor& images, const IntOrInts& size, const ResizeOptions& options = {});

struct ScaleAndTranslateOptions {  // options/ops.toml
  /// True: the kernel is widened where x is made smaller, so that it is smoothed.
  bool antialias = true;
};
/// Resamples along the axes spatial_dims: position p of x goes to p * scale + translation, where element i has the
/// position i + 0.5. Positions outside of x give 0. method: "linear", "cubic", "lanczos3", "lanczos5", or the
/// names "bilinear", "trilinear", "bicubic", "tricubic".
/// Shapes:    scale and translation: [number of spatial_dims].
/// Errors:    InvalidArgument if output_shape differs from x's along other axes.
Tensor scale_and_translate(const Tensor& images, const Dims& output_shape, const Tensor& scale,
                           const Tensor& translation, const Axes& spatial_dims, StringViewArgument method,
                           const ScaleAndTranslateOptions& options = {});

struct MapCoordinatesOptions {  // options/ops.toml
  /// Elements outside of the inputs: "constant", "nearest", "wrap", "mirror" (the last element once) or
  /// "reflect" (twice).
  std::string_view fill_mode = "constant";
  /// Value outside of the inputs, for fill_mode = "constant".
  double fill_value = 0;
};
/// The elements of a tensor at positions between elements: coordinates [rank of inputs, d...] -> [d...].
/// order 0 takes the nearest element, order 1 interpolates linearly. Integers are rounded.
/// Errors: InvalidArgument unless coordinates has a row for each axis of inputs, and for other orders.
Tensor map_coordinates(const Tensor& inputs, const Tensor& coordinates, std::int64_t order,
                       const MapCoordinatesOptions& options = {});

struct AffineTransformOptions {  // options/ops.toml
  /// "nearest" or "bilinear".
  std::string_view interpolation = "bilinear";
  /// Elements outside of the inputs: "constant", "nearest", "wrap", "mirror" (the last element once) or
  /// "reflect" (twice).
  std::string_view fill_mode = "constant";
  /// Value outside of the inputs, for fill_mode = "constant".
  double fill_value = 0;
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// The pixel at (x, y) is that of the image at ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) with
/// k = c0 x + c1 y + 1, for transform = [a0, a1, a2, b0, b1, b2, c0, c1]; x counts columns.
/// Shapes:    transform: [8], or [batch, 8] for one of each image.
Tensor affine_transform(const Tensor& images, const Tensor& transform,
                        const AffineTransformOptions& options = {});

struct PerspectiveTransformOptions {  // options/ops.toml
  /// "nearest" or "bilinear".
  std::string_view interpolation = "bilinear";
  /// Value outside of the inputs, for fill_mode = "constant".
  double fill_value = 0;
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// Moves four points (x, y) of images from start_points to end_points by a perspective transform.
/// Shapes:    points: [4, 2], or [batch, 4, 2] for those of each image.
/// Errors:    InvalidArgument for other shapes.
Tensor perspective_transform(const Tensor& images, const Tensor& start_points, const Tensor& end_points,
                             const PerspectiveTransformOptions& options = {});

struct ElasticTransformOptions {  // options/ops.toml
  /// Factor of the distances.
  double alpha = 20;
  /// Standard deviation of the distances and of the filter that smooths them.
  double sigma = 5;
  /// "nearest" or "bilinear".
  std::string_view interpolation = "bilinear";
  /// Elements outside of the inputs: "constant", "nearest", "wrap", "mirror" (the last element once) or
  /// "reflect" (twice).
  std::string_view fill_mode = "reflect";
  /// Value outside of the inputs, for fill_mode = "constant".
  double fill_value = 0;
  /// Seed of the random numbers, which gives the same ones in each call; unset: the process's generator.
  std::optional<std::int64_t> seed = {};
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// Moves pixels by random distances that were smoothed by gaussian_blur: each of them is normal with the standard
/// deviation sigma before, and is multiplied by alpha after that. Rows and columns have distances of their own.
Tensor elastic_transform(const Tensor& images, const ElasticTransformOptions& options = {});

struct GaussianBlurOptions {  // options/ops.toml
  /// Number of columns and of rows of the filter.
  IntOrInts kernel_size = {3, 3};
  /// Standard deviations along columns and along rows.
  std::vector<double> sigma = {1.0, 1.0};
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// The convolution with a normal distribution, with zeros outside of the images. As in Keras's code the first
/// numbers of kernel_size and sigma are those of columns, the second ones those of rows.
/// Errors: InvalidArgument unless there are two positive numbers of each.
Tensor gaussian_blur(const Tensor& images, const GaussianBlurOptions& options = {});
/// The derivatives of batches of images by rows and by columns (Sobel's operator): [...] -> [..., 2].
/// Errors: InvalidArgument unless images have 4 axes.
Tensor sobel_edges(const Tensor& images, const ImageOptions& options = {});

struct PadImagesOptions {  // options/ops.toml
  /// Number of rows to add at the top; unset: it follows from the others.
  std::optional<std::int64_t> top_padding = {};
  /// Number of columns to add on the left; unset: it follows from the others.
  std::optional<std::int64_t> left_padding = {};
  /// Number of rows to add at the bottom; unset: it follows from the others.
  std::optional<std::int64_t> bottom_padding = {};
  /// Number of columns to add on the right; unset: it follows from the others.
  std::optional<std::int64_t> right_padding = {};
  /// Number of rows of the results; unset: it follows from the others.
  std::optional<std::int64_t> target_height = {};
  /// Number of columns of the results; unset: it follows from the others.
  std::optional<std::int64_t> target_width = {};
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// Adds zeros around images. Errors: InvalidArgument unless two of top, bottom and height, and two of left, right
/// and width are given, and none of the results is negative.
Tensor pad_images(const Tensor& images, const PadImagesOptions& options = {});
struct CropImagesOptions {  // options/ops.toml
  /// Number of rows to remove at the top; unset: it follows from the others.
  std::optional<std::int64_t> top_cropping = {};
  /// Number of columns to remove on the left; unset: it follows from the others.
  std::optional<std::int64_t> left_cropping = {};
  /// Number of rows to remove at the bottom; unset: it follows from the others.
  std::optional<std::int64_t> bottom_cropping = {};
  /// Number of columns to remove on the right; unset: it follows from the others.
  std::optional<std::int64_t> right_cropping = {};
  /// Number of rows of the results; unset: it follows from the others.
  std::optional<std::int64_t> target_height = {};
  /// Number of columns of the results; unset: it follows from the others.
  std::optional<std::int64_t> target_width = {};
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// Removes pixels around images. Errors: those of pad_images.
Tensor crop_images(const Tensor& images, const CropImagesOptions& options = {});

struct ExtractPatchesOptions {  // options/ops.toml
  /// Distance of neighbouring windows: one number, or one for each axis; unset: size.
  OptionalIntOrInts strides = {};
  /// Distance of the kernel's elements in input elements: one number, or one for each spatial axis; 1: no
  /// gaps.
  IntOrInts dilation_rate = 1;
  /// Padding with zeros: "valid" for none, "same" for ceil(extent / stride) windows.
  std::string_view padding = "valid";
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// The windows of images as channels: [n, h, w, c] -> [n, rows of windows, columns of windows, size * size * c].
/// A size of three numbers takes windows of volumes, which have one axis more.
/// Errors: InvalidArgument for other sizes.
Tensor extract_patches(const Tensor& images, const IntOrInts& size,
                       const ExtractPatchesOptions& options = {});
/// extract_patches of volumes; one number is the size of all three axes.
Tensor extract_patches_3d(const Tensor& volumes, const IntOrInts& size,
                          const ExtractPatchesOptions& options = {});

struct SsimOptions {  // options/ops.toml
  /// Largest value of a pixel.
  double max_val = 1;
  /// Number of rows and of columns of the filter.
  std::int64_t filter_size = 11;
  /// Standard deviation of the filter.
  double filter_sigma = 1.5;
  /// Share of max_val that stabilizes the comparison of means.
  double k1 = 0.01;
  /// Share of max_val that stabilizes the comparison of variances.
  double k2 = 0.03;
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// The structural similarity of two batches of images, at most 1: [batch], or [] for single images.
/// Errors: InvalidArgument for different shapes and for images that are smaller than the filter.
Tensor ssim(const Tensor& image1, const Tensor& image2, const SsimOptions& options = {});

/// The names of keras.ops.image.
namespace image {
using ops::affine_transform, ops::crop_images, ops::elastic_transform, ops::extract_patches,
    ops::extract_patches_3d, ops::gaussian_blur, ops::map_coordinates, ops::pad_images,
    ops::perspective_transform, ops::resize, ops::scale_and_translate, ops::sobel_edges, ops::ssim;
}  // namespace image

}  // namespace cornu::inline v0::ops
