#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// One number of kernel_size, strides and dilation_rate stands for all spatial axes.
struct SeparableConvOptions {
  std::int64_t filters = 0;
  ops::IntOrInts kernel_size = 0;
  ops::IntOrInts strides = 1;
  std::string padding = "valid";  // or "same"
  std::string data_format = {};   // "channels_last", which is meant when empty, or "channels_first"
  ops::IntOrInts dilation_rate = 1;
  std::int64_t depth_multiplier = 1;
  ActivationSpec activation = {};
  bool use_bias = true;
  InitializerSpec depthwise_initializer = "glorot_uniform";
  InitializerSpec pointwise_initializer = "glorot_uniform";
  InitializerSpec bias_initializer = "zeros";
  RegularizerSpec depthwise_regularizer = {};
  RegularizerSpec pointwise_regularizer = {};
  RegularizerSpec bias_regularizer = {};
  RegularizerSpec activity_regularizer = {};
  ConstraintSpec depthwise_constraint = {};
  ConstraintSpec pointwise_constraint = {};
  ConstraintSpec bias_constraint = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(SeparableConvOptions, filters, kernel_size, strides, padding, data_format, dilation_rate,
             depth_multiplier, activation, use_bias, depthwise_initializer, pointwise_initializer,
             bias_initializer, depthwise_regularizer, pointwise_regularizer, bias_regularizer,
             activity_regularizer, depthwise_constraint, pointwise_constraint, bias_constraint, name,
             trainable, dtype, input_shape)
using SeparableConv1DOptions = SeparableConvOptions;
using SeparableConv2DOptions = SeparableConvOptions;

/// Each channel convolved by itself, then mixed element by element: a depthwise convolution, one with kernels
/// of extent 1, bias, activation.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, windows..., filters], or with the channels first;
///          depthwise_kernel [kernel_size..., channels, depth_multiplier], pointwise_kernel [1..., channels *
///          depth_multiplier, filters], bias [filters].
/// Errors:  InvalidArgument when filters, kernel_size, strides, dilation_rate or depth_multiplier is not
///          positive, a padding or data_format is unknown; when building, if the kernel with its gaps is
///          larger than the input ("valid") or the channels are unknown.
class SeparableConv1D : public LayerHandle {
 public:
  explicit SeparableConv1D(SeparableConv1DOptions options);
};
class SeparableConv2D : public LayerHandle {
 public:
  explicit SeparableConv2D(SeparableConv2DOptions options);
};
using SeparableConvolution1D = SeparableConv1D;
using SeparableConvolution2D = SeparableConv2D;

}  // namespace cornu::inline v0::keras::layers
