#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layers/core/lora.h"

namespace cornu::inline v0::keras::layers {

struct EinsumDenseOptions {
  /// "input,kernel->output", a letter an axis: "abc,cd->abd". "..." at the left or at the right of input and
  /// output stands for further axes: "...x,xy->...y".
  std::string equation = {};
  /// The output's extents without the batch and without axes under "..."; kUnknown: the input's.
  OptionalDims output_shape = {};
  ActivationSpec activation = {};
  /// The output's axes along which the bias differs: "d". Empty: no bias.
  std::string bias_axes = {};
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
CORNU_FIELDS(EinsumDenseOptions, equation, output_shape, activation, bias_axes, kernel_initializer,
             bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
             bias_constraint, lora_rank, lora_alpha, name, trainable, dtype, input_shape)

/// activation(einsum(equation, input, kernel) + bias).
///
///     layers::EinsumDense(
///         {.equation = "abc,cde->abde", .output_shape = {kUnknown, 8, 64}, .bias_axes = "de"})
///
/// Shapes:  [batch, ...] -> [batch, output_shape...]; the kernel has the extents that the equation gives it.
/// Errors:  InvalidArgument for an equation of another form, a letter of the output or the kernel that
///          nothing gives, extents of input and output_shape that differ, and bias axes that the output
///          has not.
class EinsumDense : public LoraHandle {
 public:
  explicit EinsumDense(EinsumDenseOptions options);
};

}  // namespace cornu::inline v0::keras::layers
