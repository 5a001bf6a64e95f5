#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/core/lora.h"

namespace cornu::inline v0::keras::layers {

struct DenseOptions {
  std::int64_t units = 0;
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
  std::optional<double> lora_alpha = {};  // Keras 3.15 forgets it here, but not in enable_lora()
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(DenseOptions, units, activation, use_bias, kernel_initializer, bias_initializer,
             kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint, bias_constraint,
             lora_rank, lora_alpha, name, trainable, dtype, input_shape)

/// activation(input . kernel + bias) over the last axis.
///
/// Shapes:  [batch, ..., features] -> [batch, ..., units]; kernel [features, units], bias [units].
/// Errors:  InvalidArgument when units or lora_rank is not positive, lora_rank stands beside
/// kernel_constraint, the input's rank is below 2 or its features are unknown or not the kernel's.
class Dense : public LoraHandle {
 public:
  explicit Dense(DenseOptions options);
};

}  // namespace cornu::inline v0::keras::layers
