#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::layers {

struct LayerNormalizationOptions {
  ops::Axes axis = -1;
  double epsilon = 1e-3;
  bool center = true;
  bool scale = true;
  /// Deprecated in Keras: divides by the standard deviation only, multiplies by gamma, whatever `scale` and
  /// `center` say.
  bool rms_scaling = false;
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
CORNU_FIELDS(LayerNormalizationOptions, axis, epsilon, center, scale, rms_scaling, beta_initializer,
             gamma_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint,
             activity_regularizer, name, trainable, dtype, input_shape)

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta with the mean and variance along the axes, a pair for
/// everything else.
///
/// Shapes:  the output is the input's; gamma, beta: the extents along the axes, which are sorted as they are
///          given (negative ones first, as in Keras).
/// Errors:  InvalidArgument when epsilon is negative, no axis is given, or one is outside the input's rank,
/// repeats or has an unknown extent.
class LayerNormalization : public LayerHandle {
 public:
  explicit LayerNormalization(LayerNormalizationOptions options = {});
  explicit LayerNormalization(NoOptions) : LayerNormalization() {}
};

struct RMSNormalizationOptions {
  ops::Axes axis = -1;
  double epsilon = 1e-6;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RMSNormalizationOptions, axis, epsilon, activity_regularizer, name, trainable, dtype,
             input_shape)

/// x / sqrt(mean(x * x) + epsilon) * scale with the mean along the axes; scale begins with ones.
///
/// Shapes:  the output is the input's; scale: the extents along the axes.
/// Errors:  as LayerNormalization's.
class RMSNormalization : public LayerHandle {
 public:
  explicit RMSNormalization(RMSNormalizationOptions options = {});
  explicit RMSNormalization(NoOptions) : RMSNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
