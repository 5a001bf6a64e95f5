#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/keras/quantizers/quantizers.h"

namespace cornu::inline v0::keras::layers {

struct EinsumDenseOptions {  // options/layers.toml
  /// Einsum equation "input,kernel->output", a letter an axis: "abc,cd->abd". "..." at the left or the right
  /// of input and output stands for further axes: "...x,xy->...y".
  std::string equation = {};
  /// Shape of one row of the output, without the batch and without axes under "..."; kUnknown: the input's
  /// extent.
  OptionalDims output_shape = {};
  /// Activation function: a name, an object or a callable; empty: linear.
  ActivationSpec activation = {};
  /// Axes of the output along which the bias differs, such as "d"; empty: no bias.
  std::string bias_axes = {};
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
  /// Quantizers of a layer whose policy is quantized, such as "int8_from_float32"; unset: the default ones of
  /// the policy. After quantize() get_config() contains the configuration given there.
  QuantizationConfigSpec quantization_config = {};
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
CORNU_FIELDS(EinsumDenseOptions, equation, output_shape, activation, bias_axes, kernel_initializer,
             bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
             bias_constraint, lora_rank, lora_alpha, quantization_config, name, trainable, dtype, input_shape)

/// activation(einsum(equation, input, kernel) + bias).
///
///     layers::EinsumDense(
///         {.equation = "abc,cde->abde", .output_shape = {kUnknown, 8, 64}, .bias_axes = "de"})
///
/// Shapes:  [batch, ...] -> [batch, output_shape...]; the equation determines the kernel's extents.
/// Errors:  InvalidArgument for an invalid equation, a letter of output or kernel without an extent,
///          different extents of input and output_shape, and bias axes that are not in the output.
class EinsumDense : public LoraHandle {
 public:
  explicit EinsumDense(EinsumDenseOptions options);
};

}  // namespace cornu::inline v0::keras::layers
