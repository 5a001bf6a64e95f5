#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// One number of kernel_size, strides and dilation_rate stands for all spatial axes.
struct ConvOptions {
  std::int64_t filters = 0;
  ops::IntOrInts kernel_size = 0;
  ops::IntOrInts strides = 1;
  std::string padding = "valid";  // "valid", "same", and Conv1D's "causal": no output sees later inputs
  std::string data_format = {};   // "channels_last", which is meant when empty, or "channels_first"
  ops::IntOrInts dilation_rate = 1;
  std::int64_t groups = 1;
  ActivationSpec activation = {};
  bool use_bias = true;
  InitializerSpec kernel_initializer = "glorot_uniform";
  InitializerSpec bias_initializer = "zeros";
  RegularizerSpec kernel_regularizer = {};
  RegularizerSpec bias_regularizer = {};
  RegularizerSpec activity_regularizer = {};
  ConstraintSpec kernel_constraint = {};
  ConstraintSpec bias_constraint = {};
  /// Freezes the kernel and trains an addition of this rank; see LoraHandle.
  std::optional<std::int64_t> lora_rank = {};
  std::optional<double> lora_alpha = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ConvOptions, filters, kernel_size, strides, padding, data_format, dilation_rate, groups,
             activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
             activity_regularizer, kernel_constraint, bias_constraint, lora_rank, lora_alpha, name, trainable,
             dtype, input_shape)
using Conv1DOptions = ConvOptions;
using Conv2DOptions = ConvOptions;
using Conv3DOptions = ConvOptions;

/// activation(windows of the input . kernel + bias).
///
/// Shapes:  [batch, spatial..., channels] -> [batch, windows..., filters], or with the channels first; kernel
///          [kernel_size..., channels / groups, filters], bias [filters]. A group of filters sees a group of
///          channels.
/// Errors:  InvalidArgument when
///          filters, groups, lora_rank, kernel_size, strides or dilation_rate is not positive,
///          strides and dilation_rate are both above 1,
///          groups does not divide the filters or the channels,
///          a padding or data_format is unknown,
///          lora_rank stands beside kernel_constraint;
///          when building, if the kernel with its gaps is larger than the input ("valid") or the channels are
///          unknown.
class Conv1D : public LoraHandle {
 public:
  explicit Conv1D(Conv1DOptions options);
};
class Conv2D : public LoraHandle {
 public:
  explicit Conv2D(Conv2DOptions options);
};
class Conv3D : public LoraHandle {
 public:
  explicit Conv3D(Conv3DOptions options);
};
using Convolution1D = Conv1D;
using Convolution2D = Conv2D;
using Convolution3D = Conv3D;

}  // namespace cornu::inline v0::keras::layers
