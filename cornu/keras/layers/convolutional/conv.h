#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// One number of kernel_size, strides and dilation_rate stands for all spatial axes.
struct ConvOptions {  // options/layers.toml
  /// Number of output channels; must be positive.
  std::int64_t filters = 0;
  /// Spatial extents of the kernel: one number, or one an axis; must be positive.
  ops::IntOrInts kernel_size = 0;
  /// Distance of neighbouring windows in elements: one number, or one an axis; must be positive.
  ops::IntOrInts strides = 1;
  /// "valid": no padding; "same": zeros so that the output has ceil(input / stride) elements; Conv1D's
  /// "causal": zeros before the first step, so that no output depends on later inputs.
  std::string padding = "valid";
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Distance of the kernel's elements in input elements: one number, or one an axis; 1: no gaps. Above 1,
  /// strides must be 1.
  ops::IntOrInts dilation_rate = 1;
  /// Number of groups into which channels and filters are split; must divide both. 1: no groups.
  std::int64_t groups = 1;
  /// Activation function: a name, an object or a callable; empty: linear.
  ActivationSpec activation = {};
  /// True: adds a bias.
  bool use_bias = true;
  /// Initializer of the kernel.
  InitializerSpec kernel_initializer = "glorot_uniform";
  /// Initializer of the bias.
  InitializerSpec bias_initializer = "zeros";
  /// Penalty on the kernel; empty: none.
  RegularizerSpec kernel_regularizer = {};
  /// Penalty on the bias; empty: none.
  RegularizerSpec bias_regularizer = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Projection of the kernel after each update; empty: none.
  ConstraintSpec kernel_constraint = {};
  /// Projection of the bias after each update; empty: none.
  ConstraintSpec bias_constraint = {};
  /// Rank of a trained low-rank addition to the kernel, which is then frozen (LoraHandle); unset: none.
  std::optional<std::int64_t> lora_rank = {};
  /// Numerator of the factor lora_alpha / rank of the low-rank product; unset: the rank, so that the factor
  /// is 1.
  std::optional<double> lora_alpha = {};
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
CORNU_FIELDS(ConvOptions, filters, kernel_size, strides, padding, data_format, dilation_rate, groups,
             activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
             activity_regularizer, kernel_constraint, bias_constraint, lora_rank, lora_alpha, name, trainable,
             dtype, input_shape)
using Conv1DOptions = ConvOptions;
using Conv2DOptions = ConvOptions;
using Conv3DOptions = ConvOptions;

/// activation(convolution of input and kernel + bias).
///
/// Shapes:  [batch, spatial..., channels] -> [batch, windows..., filters], or with the channels first; kernel
///          [kernel_size..., channels / groups, filters], bias [filters]. Each group of filters reads one
///          group of channels.
/// Errors:  InvalidArgument when filters, groups, lora_rank, kernel_size, strides or dilation_rate is not
///          positive, strides and dilation_rate are both above 1, groups does not divide the filters or the
///          channels, a padding or data_format is unknown, lora_rank is combined with kernel_constraint; when
///          building, if the kernel with its gaps is larger than the input ("valid") or the channels are
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
