#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

/// One number of kernel_size, strides, output_padding and dilation_rate stands for all spatial axes.
struct ConvTransposeOptions {  // options/layers.toml
  /// Number of output channels; must be positive.
  std::int64_t filters = 0;
  /// Spatial extents of the kernel: one number, or one an axis; must be positive.
  ops::IntOrInts kernel_size = 0;
  /// Output elements from one input element to the next: one number, or one an axis; must be positive.
  ops::IntOrInts strides = 1;
  /// "valid": (n - 1) * stride + max(kernel, stride) output elements from n; "same": n * stride.
  std::string padding = "valid";
  /// Extra elements at the end of each spatial axis, below the stride: one number, or one an axis; unset:
  /// derived from padding.
  ops::OptionalIntOrInts output_padding = {};
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Distance of the kernel's elements in input elements: one number, or one an axis; 1: no gaps. Above 1,
  /// strides must be 1.
  ops::IntOrInts dilation_rate = 1;
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
CORNU_FIELDS(ConvTransposeOptions, filters, kernel_size, strides, padding, output_padding, data_format,
             dilation_rate, activation, use_bias, kernel_initializer, bias_initializer, kernel_regularizer,
             bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint, name, trainable,
             dtype, input_shape)
using Conv1DTransposeOptions = ConvTransposeOptions;
using Conv2DTransposeOptions = ConvTransposeOptions;
using Conv3DTransposeOptions = ConvTransposeOptions;

/// The transpose (gradient) of a convolution: each input element adds a multiple of the kernel to the output,
/// `strides` apart.
///
/// Shapes:  [batch, spatial..., channels] -> [batch, extents..., filters], or with the channels first. An
///          extent, for a kernel with gaps of k elements: "same" n * stride, "valid" (n - 1) * stride +
///          max(k, stride); with an output_padding p, (n - 1) * stride + p and k ("valid") or k mod 2
///          ("same"). kernel [kernel_size..., filters, channels], bias [filters].
/// Errors:  InvalidArgument when filters, kernel_size, strides or dilation_rate is not positive, strides and
///          dilation_rate are both above 1, an output_padding is negative or not below its stride, a padding
///          or data_format is unknown; when building, if the output would be empty or the channels are
///          unknown.
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
