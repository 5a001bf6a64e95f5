#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct GroupNormalizationOptions {  // options/layers.toml
  /// Number of groups of channels; must divide the channels. -1: each channel is a group (instance
  /// normalization).
  std::int64_t groups = 32;
  /// Axis of the channels or features; negative: from the end.
  std::int64_t axis = -1;
  /// Number added to the variance; must not be negative.
  double epsilon = 1e-3;
  /// True: adds the weight beta.
  bool center = true;
  /// True: multiplies by the weight gamma.
  bool scale = true;
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
CORNU_FIELDS(GroupNormalizationOptions, groups, axis, epsilon, center, scale, beta_initializer,
             gamma_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint,
             activity_regularizer, name, trainable, dtype, input_shape)

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta with a mean and a variance for each row and group of
/// neighbouring channels.
///
/// Shapes:  the output is the input's; gamma, beta [channels], the extent along `axis`.
/// Errors:  InvalidArgument if groups is neither positive nor -1, epsilon is negative, the axis is outside
///          the input's rank, is the batch or has an unknown extent, or the groups do not divide the
///          channels.
class GroupNormalization : public LayerHandle {
 public:
  explicit GroupNormalization(GroupNormalizationOptions options = {});
  explicit GroupNormalization(NoOptions) : GroupNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
