#pragma once

#include <optional>
#include <string_view>

#include "cornu/tensor/ops/types.h"

/// Convolutions and pooling over any number of spatial axes, under their names in keras.ops.
///
/// Shapes:    inputs [batch, spatial..., channels] ("channels_last") or [batch, channels, spatial...]
///            ("channels_first"). One number applies to all spatial axes. Padding "valid" is none; "same"
///            gives ceil(extent / stride), with an odd element at the end.
/// Errors:    InvalidArgument with the function, the argument and the shapes; also for an empty result.
namespace cornu::inline v0::ops {

struct ConvOptions {
  IntOrInts strides = 1;
  /// "valid", "same", or "causal": all padding is in front, so that nothing sees later inputs.
  std::string_view padding = "valid";
  std::string_view data_format = "channels_last";
  IntOrInts dilation_rate = 1;
  Tensor bias = {};  // [filters], which is added to the result; undefined for none
  /// "linear", or, where there is a bias, "relu", which is then one operation with the convolution.
  std::string_view activation = "linear";
};
/// kernel [spatial..., channels / groups, filters]: the number of groups follows from the shapes.
Tensor conv(const Tensor& inputs, const Tensor& kernel, const ConvOptions& options = {});
/// kernel [spatial..., channels, multiplier]: convolves each channel separately.
Tensor depthwise_conv(const Tensor& inputs, const Tensor& kernel, const ConvOptions& options = {});
/// depthwise_conv, then a conv with a kernel of extent 1 (with the bias and activation).
Tensor separable_conv(const Tensor& inputs, const Tensor& depthwise_kernel, const Tensor& pointwise_kernel,
                      const ConvOptions& options = {});

struct ConvTransposeOptions {
  IntOrInts strides = 1;
  std::string_view padding = "valid";
  /// Without it "same" gives extent * stride, and "valid" (extent - 1) * stride + max(kernel, stride).
  OptionalIntOrInts output_padding = {};
  std::string_view data_format = "channels_last";
  IntOrInts dilation_rate = 1;
  Tensor bias = {};
  std::string_view activation = "linear";
};
/// The gradient of a conv as a function; kernel [spatial..., filters, channels].
Tensor conv_transpose(const Tensor& inputs, const Tensor& kernel, const ConvTransposeOptions& options = {});

struct PoolOptions {
  OptionalIntOrInts strides = {};  // without it the pool's size
  std::string_view padding = "valid";
  std::string_view data_format = "channels_last";
};
/// The gradient flows to the first of equal maxima.
Tensor max_pool(const Tensor& inputs, const IntOrInts& pool_size, const PoolOptions& options = {});
/// The mean of a window's inputs, without padding.
Tensor average_pool(const Tensor& inputs, const IntOrInts& pool_size, const PoolOptions& options = {});

}  // namespace cornu::inline v0::ops
