#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/tensor.h"

/// Pictures as files and in other sizes.
namespace cornu::inline v0::keras {

namespace utils {

struct SaveImgOptions {  // options/functions.toml
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// "png", "jpg" or "jpeg"; empty: the end of the path.
  std::string file_format = {};
  /// True: the least value becomes 0 and the largest 255.
  bool scale = true;
};

/// Writes an image [rows, columns, channels] as a PNG or a JPEG (of quality 75), atomically. With `scale` its
/// values are moved to [0, 255] by their least and largest one; otherwise they are cut to whole numbers.
/// Alpha is left out of a JPEG with a warning.
/// Errors:  InvalidArgument for other shapes, numbers of channels, values outside of [0, 255] without scale,
///          and file formats other than "png", "jpg" and "jpeg"; those of io::WholeFile.
/// Source:  keras.utils.save_img.
void save_img(const StringArgument& path, const Tensor& x, const SaveImgOptions& options = {});

struct LoadImgOptions {  // options/functions.toml
  /// Channels of the image: "grayscale", "rgb" or "rgba".
  std::string color_mode = "rgb";
  /// Rows and columns of the result; unset: those of the file.
  std::optional<std::array<std::int64_t, 2>> target_size = {};
  /// "nearest", "bilinear", "bicubic", "area" or another one of data::resize_image; all except "nearest"
  /// average over the pixels that one pixel covers.
  std::string interpolation = "nearest";
  /// True: cuts the image around its center to the size's aspect ratio before it is resized.
  bool keep_aspect_ratio = false;
};

/// Reads an image as uint8 [rows, columns, channels], of the size `target_size` if there is one.
/// Errors:  InvalidArgument for an unknown color mode or interpolation; those of data::load_image.
/// Source:  keras.utils.load_img, whose picture Keras turns into an array by img_to_array.
Tensor load_img(const StringArgument& path, const LoadImgOptions& options = {});

}  // namespace utils

namespace preprocessing::image {

struct SmartResizeOptions {  // options/functions.toml
  /// "bilinear", "nearest", "bicubic", "lanczos3" or "lanczos5".
  std::string interpolation = "bilinear";
  /// "channels_last" or "channels_first".
  std::string data_format = "channels_last";
};

/// Resizes an image [rows, columns, channels], or a batch of them, to {rows, columns} without distortion: it
/// is first cut to the aspect ratio of the size, around its center.
/// Errors:  those of ops::resize.
/// Source:  keras.preprocessing.image.smart_resize.
Tensor smart_resize(const Tensor& x, const std::array<std::int64_t, 2>& size,
                    const SmartResizeOptions& options = {});

}  // namespace preprocessing::image

}  // namespace cornu::inline v0::keras
