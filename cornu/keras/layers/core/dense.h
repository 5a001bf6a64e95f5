#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/core/lora.h"
#include "cornu/keras/quantizers/quantizers.h"

namespace cornu::inline v0::keras::layers {

struct DenseOptions {  // options/layers.toml
  /// Number of features of the output; must be positive.
  std::int64_t units = 0;
  /// Activation function: a name, an object or a callable; empty: linear.
  ActivationSpec activation = {};
  /// True: adds a bias.
  bool use_bias = true;
  /// Initializer of the kernel, [features, units].
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
CORNU_FIELDS(DenseOptions, units, activation, use_bias, kernel_initializer, bias_initializer,
             kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint,
             lora_rank, lora_alpha, quantization_config, name, trainable, dtype, input_shape)

/// activation(input . kernel + bias) over the last axis.
///
/// Shapes:  [batch, ..., features] -> [batch, ..., units]; kernel [features, units], bias [units].
/// Errors:  InvalidArgument if units or lora_rank is not positive, lora_rank is combined with
///          kernel_constraint, the input's rank is below 2 or its features are unknown or not the kernel's.
class Dense : public LoraHandle {
 public:
  explicit Dense(DenseOptions options);
};

}  // namespace cornu::inline v0::keras::layers
