#pragma once

#include <string_view>

#include "cornu/tensor/ops/data_format.h"
#include "cornu/tensor/value/tensor.h"

/// Keras's ops.image on images [batch, rows, columns, channels] or one of them without the batch; with data_format
/// "channels_first" the channels come before the rows.
namespace cornu::inline v0::ops {

struct ImageOptions {  // options/ops.toml
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// 0.2989 red + 0.587 green + 0.114 blue, as one channel; images of one channel stay. Integers are truncated.
/// Errors: InvalidArgument for other ranks than 3 and 4, and for other numbers of channels than 1 and 3.
Tensor rgb_to_grayscale(const Tensor& images, const ImageOptions& options = {});
/// Hue, saturation and value of floats, for the channels red, green and blue in [0, 1]: hue is a share of a turn.
/// Errors: InvalidArgument for other ranks than 3 and 4, another number of channels than 3, and integers.
Tensor rgb_to_hsv(const Tensor& images, const ImageOptions& options = {});
/// The inverse of rgb_to_hsv. Errors: those of rgb_to_hsv.
Tensor hsv_to_rgb(const Tensor& images, const ImageOptions& options = {});

/// The names of keras.ops.image.
namespace image {
using ops::hsv_to_rgb, ops::rgb_to_grayscale, ops::rgb_to_hsv;
}  // namespace image

}  // namespace cornu::inline v0::ops
