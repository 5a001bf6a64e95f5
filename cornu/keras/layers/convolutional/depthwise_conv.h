#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// One number of kernel_size, strides and dilation_rate stands for all spatial axes.
struct DepthwiseConvOptions {
  ops::IntOrInts kernel_size = 0;
  ops::IntOrInts strides = 1;
  std::string padding = "valid";  // or "same"
  std::int64_t depth_multiplier = 1;
  std::string data_format = {};  // "channels_last", which is meant when empty, or "channels_first"
  ops::IntOrInts dilation_rate = 1;
  ActivationSpec activation = {};
  bool use_bias = true;
  InitializerSpec depthwise_initializer = "glorot_uniform";
  InitializerSpec bias_initializer = "zeros";
  RegularizerSpec depthwise_regularizer = {};
  RegularizerSpec bias_regularizer = {};
  RegularizerSpec activity_regularizer = {};
  ConstraintSpec depthwise_constraint = {};
  ConstraintSpec bias_constraint = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(DepthwiseConvOptions, kernel_size, strides, padding, depth_multiplier, data_format,
             dilation_rate, activation, use_bias, depthwise_initializer, bias_initializer,
             depthwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
             bias_constraint, name, trainable, dtype, input_shape)
using DepthwiseConv1DOptions = DepthwiseConvOptions;
using DepthwiseConv2DOptions = DepthwiseConvOptions;

/// Each channel convolved by itself, with depth_multiplier kernels; channel c gives the outputs from c *
/// depth_multiplier on.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, windows..., channels * depth_multiplier], or with the
///          channels first; kernel [kernel_size..., channels, depth_multiplier], bias [channels *
///          depth_multiplier].
/// Errors:  InvalidArgument when kernel_size, strides, dilation_rate or depth_multiplier is not positive, a
///          padding or data_format is unknown; when building, if the kernel with its gaps is larger than the
///          input ("valid") or the channels are unknown.
class DepthwiseConv1D : public LayerHandle {
 public:
  explicit DepthwiseConv1D(DepthwiseConv1DOptions options);
};
class DepthwiseConv2D : public LayerHandle {
 public:
  explicit DepthwiseConv2D(DepthwiseConv2DOptions options);
};

}  // namespace cornu::inline v0::keras::layers
