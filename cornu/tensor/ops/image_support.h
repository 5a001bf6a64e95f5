#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cornu/tensor/value/tensor.h"

/// Shared by the sources of image functions; not part of the interface.
namespace cornu::inline v0::ops::internal {

/// The axis of the channels of images with 3 or 4 axes. Errors: InvalidArgument for others and unknown formats.
std::int64_t image_channels(const char* op, const Tensor& images, std::string_view data_format);

/// Images with a batch and channels last, and the way back.
class ImageBatch {
 public:
  ImageBatch(const char* op, const Tensor& images, std::string_view data_format);
  const Tensor& images() const { return images_; }  // [batch, rows, columns, channels]
  std::int64_t batch() const { return images_.shape()[0]; }
  std::int64_t rows() const { return images_.shape()[1]; }
  std::int64_t columns() const { return images_.shape()[2]; }
  std::int64_t channels() const { return images_.shape()[3]; }
  /// Images [batch, rows, columns, channels, ...] in the form of the given ones.
  Tensor restored(const Tensor& images) const;

 private:
  Tensor images_;
  bool is_single_, is_channels_first_;
};

/// Sources of the pixels that positions between pixels are made of.
struct Sampling {
  std::int64_t order = 1;  // 0: the nearest pixel; 1: linear
  std::string_view fill_mode = "constant";
  double fill_value = 0;
};
/// The order of an interpolation "nearest" or "bilinear". Errors: InvalidArgument for other names.
std::int64_t interpolation_order(const char* op, std::string_view interpolation);
/// sample_pixels of images of any dtype, with positions [num_extents, batch, d...] whose batch may be 1.
/// Errors: InvalidArgument for unknown fill modes.
Tensor sampled(const char* op, const Tensor& x, const Tensor& positions, const Sampling& sampling);

/// Convolves each column of [batch, rows, columns, channels] with one line. All columns and channels together are the
/// channels of a depthwise convolution of one axis: there are many of them, where images have few.
Tensor filtered_along_rows(const Tensor& images, const Tensor& line, std::string_view padding);

/// The numbers of elastic_transform, which may be tensors of one element.
struct ElasticMoves {
  Tensor normals;            // [batch, rows, columns, 2]: normal numbers with the standard deviation 1
  Tensor alpha, sigma;       // factor of the distances; their standard deviation, and that of the filter
  std::int64_t filter_size;  // in pixels, odd
};
/// elastic_transform with these numbers. `images` are [batch, rows, columns, channels].
Tensor elastically_moved(const Tensor& images, const ElasticMoves& moves, const Sampling& sampling);

}  // namespace cornu::inline v0::ops::internal
