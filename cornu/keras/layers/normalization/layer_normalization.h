#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct LayerNormalizationOptions {  // options/layers.toml
  /// Axes over which mean and variance are taken; negative: from the end.
  ops::Axes axis = -1;
  /// Number added to the variance; must not be negative.
  double epsilon = 1e-3;
  /// True: adds the weight beta.
  bool center = true;
  /// True: multiplies by the weight gamma.
  bool scale = true;
  /// Deprecated in Keras. True: divides by the standard deviation without subtracting the mean, and
  /// multiplies by gamma, whatever center and scale are.
  bool rms_scaling = false;
  /// Initializer of beta, the offset.
  InitializerSpec beta_initializer = "zeros";
  /// Initializer of gamma, the factor.
  InitializerSpec gamma_initializer = "ones";
  /// Penalty on beta; empty: none.
  RegularizerSpec beta_regularizer = {};
  /// Penalty on gamma; empty: none.
  RegularizerSpec gamma_regularizer = {};
  /// Projection of beta after each update; empty: none.
  ConstraintSpec beta_constraint = {};
  /// Projection of gamma after each update; empty: none.
  ConstraintSpec gamma_constraint = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
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
CORNU_FIELDS(LayerNormalizationOptions, axis, epsilon, center, scale, rms_scaling, beta_initializer,
             gamma_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint,
             activity_regularizer, name, trainable, dtype, input_shape)

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta, with mean and variance over the axes, computed for
/// each position of the other axes.
///
/// Shapes:  the output is the input's; gamma, beta: the extents along the axes, sorted by their given values
///          (negative ones first, as in Keras).
/// Errors:  InvalidArgument if epsilon is negative, no axis is given, or one is outside the input's rank,
///          repeats or has an unknown extent.
class LayerNormalization : public LayerHandle {
 public:
  explicit LayerNormalization(LayerNormalizationOptions options = {});
  explicit LayerNormalization(NoOptions) : LayerNormalization() {}
};

struct RMSNormalizationOptions {  // options/layers.toml
  /// Axes over which the mean of squares is taken; negative: from the end.
  ops::Axes axis = -1;
  /// Number added to the mean of squares; must not be negative.
  double epsilon = 1e-6;
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
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
CORNU_FIELDS(RMSNormalizationOptions, axis, epsilon, activity_regularizer, name, trainable, dtype,
             input_shape)

/// x / sqrt(mean(x * x) + epsilon) * scale, with the mean over the axes; scale is initialized with ones.
///
/// Shapes:  the output is the input's; scale: the extents along the axes.
/// Errors:  those of LayerNormalization.
class RMSNormalization : public LayerHandle {
 public:
  explicit RMSNormalization(RMSNormalizationOptions options = {});
  explicit RMSNormalization(NoOptions) : RMSNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
