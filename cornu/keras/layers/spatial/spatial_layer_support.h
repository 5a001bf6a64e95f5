#pragma once

#include <string>
#include <vector>

#include "cornu/base/checked_size.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// The common base of layers for images, sequences and volumes: an input with a batch, spatial axes, and
/// channels last or first. A layer implements compute_output_shape(), which may get kUnknown extents, and
/// call().
class SpatialLayer : public Layer {
 public:
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override;

 protected:
  /// Errors: InvalidArgument for an unknown data_format; empty is config::image_data_format().
  SpatialLayer(LayerSettings settings, std::int64_t num_spatial, const std::string& data_format);

  void build(const Dims&) override {}
  /// The dtype of the output for an input of this dtype. Unless overridden: the same.
  virtual DType output_dtype(DType input) const { return input; }

  std::int64_t num_spatial() const { return num_spatial_; }
  bool is_channels_first() const { return is_channels_first_; }
  /// The data format in Keras's spelling.
  const char* data_format() const { return is_channels_first_ ? "channels_first" : "channels_last"; }
  std::int64_t first_spatial() const { return is_channels_first_ ? 2 : 1; }
  std::int64_t channel_axis() const { return is_channels_first_ ? 1 : num_spatial_ + 1; }
  /// An extent of an input's shape. Errors: InvalidArgument if the shape has another rank.
  std::int64_t channels(const Dims& shape) const { return extent(shape, channel_axis()); }
  std::int64_t spatial(const Dims& shape, std::size_t i) const {
    return extent(shape, first_spatial() + static_cast<std::int64_t>(i));
  }
  /// The spatial axes, for reductions.
  Dims spatial_axes() const;
  /// `shape` with other spatial extents, and with `channels` unless that is kUnknown.
  Dims with_spatial(Dims shape, const Dims& spatial, std::int64_t channels = kUnknown) const;

  /// Checks a computed extent. Errors: ResourceExhausted, naming `what`, if it exceeds 63 bits.
  std::int64_t checked_extent(const char* what, CheckedSize extent) const;

  /// For constructors: one number, at least `minimum`, for each spatial axis, from one number or a list.
  Dims spatial_option(const char* option, const ops::IntOrInts& values, std::int64_t minimum = 1) const;
  /// For constructors: one of `allowed`, ignoring case.
  std::string choice_option(const char* option, const std::string& value,
                            const std::vector<std::string>& allowed) const;
  /// For constructors: throws unless the number is positive.
  void check_positive(const char* option, std::int64_t value) const;
  /// The channels of an input for building. Errors: InvalidArgument if they are unknown or 0.
  std::int64_t known_channels(const Dims& input_shape) const;

  /// The number of windows of these extents along each axis; with `has_padding` ceil(extent / stride), 0 for
  /// an extent of 0.
  /// Errors: InvalidArgument if a window is larger than the input; the message names it `window`.
  Dims count_windows(const Dims& input_shape, const Dims& windows, const Dims& strides, bool has_padding,
                     const std::string& window) const;

 private:
  std::int64_t extent(const Dims& shape, std::int64_t axis) const;

  std::int64_t num_spatial_;
  bool is_channels_first_;
};

/// "[3, 2]"
std::string list_str(const Dims& values);

}  // namespace cornu::inline v0::keras::layers
