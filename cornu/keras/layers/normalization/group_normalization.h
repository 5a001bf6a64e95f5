#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct GroupNormalizationOptions {
  /// -1: as many as channels, which is instance normalization.
  std::int64_t groups = 32;
  std::int64_t axis = -1;
  double epsilon = 1e-3;
  bool center = true;
  bool scale = true;
  InitializerSpec beta_initializer = "zeros";
  InitializerSpec gamma_initializer = "ones";
  RegularizerSpec beta_regularizer = {};
  RegularizerSpec gamma_regularizer = {};
  ConstraintSpec beta_constraint = {};
  ConstraintSpec gamma_constraint = {};
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(GroupNormalizationOptions, groups, axis, epsilon, center, scale, beta_initializer,
             gamma_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint,
             activity_regularizer, name, trainable, dtype, input_shape)

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta with a mean and a variance for each row and group of
/// neighbouring channels.
///
/// Shapes:  the output is the input's; gamma, beta [channels], the extent along `axis`.
/// Errors:  InvalidArgument when groups is neither positive nor -1, epsilon is negative, the axis is outside
///          the input's rank, is the batch or has an unknown extent, or the groups do not divide the
///          channels.
class GroupNormalization : public LayerHandle {
 public:
  explicit GroupNormalization(GroupNormalizationOptions options = {});
  explicit GroupNormalization(NoOptions) : GroupNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
