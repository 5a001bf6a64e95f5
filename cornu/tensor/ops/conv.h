#pragma once

#include <optional>
#include <string_view>

#include "cornu/tensor/ops/data_format.h"
#include "cornu/tensor/ops/types.h"

/// Convolutions and pooling over any number of spatial axes, under their names in keras.ops.
///
/// Shapes:    inputs [batch, spatial..., channels] ("channels_last") or [batch, channels, spatial...]
///            ("channels_first"). One number applies to all spatial axes. Padding "valid" is none; "same"
///            gives ceil(extent / stride), with an odd element at the end.
/// Errors:    InvalidArgument with the function, the argument and the shapes; also for an empty result.
namespace cornu::inline v0::ops {

struct ConvOptions {  // options/ops.toml
  /// Distance of neighbouring windows in input elements: one number, or one for each spatial axis.
  IntOrInts strides = 1;
  /// Padding with zeros: "valid" for none, "same" for ceil(extent / stride) results, or "causal" for padding
  /// before the first element only, so that no result depends on later inputs.
  std::string_view padding = "valid";
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
  /// Distance of the kernel's elements in input elements: one number, or one for each spatial axis; 1: no
  /// gaps.
  IntOrInts dilation_rate = 1;
  /// Vector [filters] that is added to the result; undefined: none.
  Tensor bias = {};
  /// "linear", or with a bias "relu", which is one operation with the convolution.
  std::string_view activation = "linear";
};
/// kernel [spatial..., channels / groups, filters]: the number of groups follows from the shapes.
Tensor conv(const Tensor& inputs, const Tensor& kernel, const ConvOptions& options = {});
/// kernel [spatial..., channels, multiplier]: convolves each channel separately.
Tensor depthwise_conv(const Tensor& inputs, const Tensor& kernel, const ConvOptions& options = {});
/// depthwise_conv, then a conv with a kernel of extent 1 (with the bias and activation).
Tensor separable_conv(const Tensor& inputs, const Tensor& depthwise_kernel, const Tensor& pointwise_kernel,
                      const ConvOptions& options = {});

struct ConvTransposeOptions {  // options/ops.toml
  /// Distance of neighbouring windows in input elements: one number, or one for each spatial axis.
  IntOrInts strides = 1;
  /// Padding of the corresponding convolution: "valid" or "same".
  std::string_view padding = "valid";
  /// Number of elements that are added at the end of each spatial axis: one number, or one for each axis.
  /// Unset: "same" gives extent * stride, "valid" (extent - 1) * stride + max(kernel, stride).
  OptionalIntOrInts output_padding = {};
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
  /// Distance of the kernel's elements in input elements: one number, or one for each spatial axis; 1: no
  /// gaps.
  IntOrInts dilation_rate = 1;
  /// Vector [filters] that is added to the result; undefined: none.
  Tensor bias = {};
  /// "linear", or with a bias "relu", which is one operation with the convolution.
  std::string_view activation = "linear";
};
/// The gradient of a conv as a function; kernel [spatial..., filters, channels].
Tensor conv_transpose(const Tensor& inputs, const Tensor& kernel, const ConvTransposeOptions& options = {});

struct PoolOptions {  // options/ops.toml
  /// Distance of neighbouring windows in input elements: one number, or one for each spatial axis; unset:
  /// pool_size.
  OptionalIntOrInts strides = {};
  /// Padding, which takes no part in the result: "valid" for none, or "same" for ceil(extent / stride)
  /// results.
  std::string_view padding = "valid";
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// The gradient flows to the first of equal maxima.
Tensor max_pool(const Tensor& inputs, const IntOrInts& pool_size, const PoolOptions& options = {});
/// The mean of a window's inputs, without padding.
Tensor average_pool(const Tensor& inputs, const IntOrInts& pool_size, const PoolOptions& options = {});

struct AdaptivePoolOptions {  // options/ops.toml
  /// Axes of the inputs: "channels_last" or "channels_first"; if not given,
  /// keras::config::image_data_format().
  std::string_view data_format = cornu::detail::default_data_format();
};
/// Pooling to a given number of windows along each spatial axis: window i of n begins at floor(i * extent / n) and
/// ends before ceil((i + 1) * extent / n), so that neighbours may share an element.
/// Errors: InvalidArgument unless output_size is positive and at most the extents.
Tensor adaptive_max_pool(const Tensor& inputs, const IntOrInts& output_size,
                         const AdaptivePoolOptions& options = {});
Tensor adaptive_average_pool(const Tensor& inputs, const IntOrInts& output_size,
                             const AdaptivePoolOptions& options = {});

}  // namespace cornu::inline v0::ops
