#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// One number of kernel_size, strides and dilation_rate stands for all spatial axes.
struct DepthwiseConvOptions {  // options/layers.toml
  /// Spatial extents of the kernel: one number, or one an axis; must be positive.
  ops::IntOrInts kernel_size = 0;
  /// Distance of neighbouring windows in elements: one number, or one an axis; must be positive.
  ops::IntOrInts strides = 1;
  /// "valid": no padding; "same": zeros so that the output has ceil(input / stride) elements.
  std::string padding = "valid";
  /// Number of depthwise kernels for each input channel; must be positive.
  std::int64_t depth_multiplier = 1;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Distance of the kernel's elements in input elements: one number, or one an axis; 1: no gaps.
  ops::IntOrInts dilation_rate = 1;
  /// Activation function: a name, an object or a callable; empty: linear.
  ActivationSpec activation = {};
  /// True: adds a bias.
  bool use_bias = true;
  /// Initializer of the depthwise kernel.
  InitializerSpec depthwise_initializer = "glorot_uniform";
  /// Initializer of the bias.
  InitializerSpec bias_initializer = "zeros";
  /// Penalty on the depthwise kernel; empty: none.
  RegularizerSpec depthwise_regularizer = {};
  /// Penalty on the bias; empty: none.
  RegularizerSpec bias_regularizer = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Projection of the depthwise kernel after each update; empty: none.
  ConstraintSpec depthwise_constraint = {};
  /// Projection of the bias after each update; empty: none.
  ConstraintSpec bias_constraint = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(DepthwiseConvOptions, kernel_size, strides, padding, depth_multiplier, data_format,
             dilation_rate, activation, use_bias, depthwise_initializer, bias_initializer,
             depthwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
             bias_constraint, name, trainable, dtype, input_shape)
using DepthwiseConv1DOptions = DepthwiseConvOptions;
using DepthwiseConv2DOptions = DepthwiseConvOptions;

/// Convolves each channel separately, with depth_multiplier kernels; channel c determines the output channels
/// from c * depth_multiplier on.
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
