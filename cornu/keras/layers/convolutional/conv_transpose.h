#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// One number of kernel_size, strides, output_padding and dilation_rate stands for all spatial axes.
struct ConvTransposeOptions {
  std::int64_t filters = 0;
  ops::IntOrInts kernel_size = 0;
  ops::IntOrInts strides = 1;
  std::string padding = "valid";               // or "same"
  ops::OptionalIntOrInts output_padding = {};  // unset: as the output's extents want it
  std::string data_format = {};  // "channels_last", which is meant when empty, or "channels_first"
  ops::IntOrInts dilation_rate = 1;
  ActivationSpec activation = {};
  bool use_bias = true;
  InitializerSpec kernel_initializer = "glorot_uniform";
  InitializerSpec bias_initializer = "zeros";
  RegularizerSpec kernel_regularizer = {};
  RegularizerSpec bias_regularizer = {};
  RegularizerSpec activity_regularizer = {};
  ConstraintSpec kernel_constraint = {};
  ConstraintSpec bias_constraint = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ConvTransposeOptions, filters, kernel_size, strides, padding, output_padding, data_format,
             dilation_rate, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer,
             bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, name, trainable,
             dtype, input_shape)
using Conv1DTransposeOptions = ConvTransposeOptions;
using Conv2DTransposeOptions = ConvTransposeOptions;
using Conv3DTransposeOptions = ConvTransposeOptions;

/// A convolution's gradient as a layer: each input element adds its kernel to the output, strides apart.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, extents..., filters], or with the channels first. An
///          extent, for a kernel with gaps of k elements: "same" n * stride, "valid" (n - 1) * stride +
///          max(k, stride); with an output_padding p, (n - 1) * stride + p and k ("valid") or k mod 2
///          ("same"). kernel [kernel_size..., filters, channels], bias [filters].
/// Errors:  InvalidArgument when filters, kernel_size, strides or dilation_rate is not positive, strides and
///          dilation_rate are both above 1, an output_padding is negative or not below its stride, a padding
///          or data_format is unknown; when building, if nothing would come out or the channels are unknown.
class Conv1DTranspose : public LayerHandle {
 public:
  explicit Conv1DTranspose(Conv1DTransposeOptions options);
};
class Conv2DTranspose : public LayerHandle {
 public:
  explicit Conv2DTranspose(Conv2DTransposeOptions options);
};
class Conv3DTranspose : public LayerHandle {
 public:
  explicit Conv3DTranspose(Conv3DTransposeOptions options);
};
using Convolution1DTranspose = Conv1DTranspose;
using Convolution2DTranspose = Conv2DTranspose;
using Convolution3DTranspose = Conv3DTranspose;

}  // namespace cornu::inline v0::keras::layers
