#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

/// Limits of batch renormalization's corrections; unset: no limit.
struct RenormClipping {
  std::optional<double> rmin = {};
  std::optional<double> rmax = {};
  std::optional<double> dmax = {};
};

struct BatchNormalizationOptions {  // options/layers.toml
  /// Axis of the channels or features; negative: from the end.
  std::int64_t axis = -1;
  /// Factor by which the moving statistics keep their value at each training step, in [0, 1].
  double momentum = 0.99;
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
  /// Initializer of the moving mean.
  InitializerSpec moving_mean_initializer = "zeros";
  /// Initializer of the moving variance.
  InitializerSpec moving_variance_initializer = "ones";
  /// Penalty on beta; empty: none.
  RegularizerSpec beta_regularizer = {};
  /// Penalty on gamma; empty: none.
  RegularizerSpec gamma_regularizer = {};
  /// Projection of beta after each update; empty: none.
  ConstraintSpec beta_constraint = {};
  /// Projection of gamma after each update; empty: none.
  ConstraintSpec gamma_constraint = {};
  /// True: batch renormalization, which corrects the statistics of a batch towards moving ones.
  bool renorm = false;
  /// Limits rmin, rmax and dmax of the corrections of renorm; unset ones: no limit.
  RenormClipping renorm_clipping = {};
  /// Momentum of the moving statistics that renorm corrects towards, in [0, 1].
  double renorm_momentum = 0.99;
  /// True: statistics over the batches of all replicas. False: each replica uses its own batch, and the
  /// moving statistics take the mean.
  bool synchronized = false;
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
CORNU_FIELDS(BatchNormalizationOptions, axis, momentum, epsilon, center, scale, beta_initializer,
             gamma_initializer, moving_mean_initializer, moving_variance_initializer, beta_regularizer,
             gamma_regularizer, beta_constraint, gamma_constraint, renorm, renorm_clipping, renorm_momentum,
             synchronized, activity_regularizer, name, trainable, dtype, input_shape)

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta, with a mean and a variance for each channel along
/// `axis`.
///
/// Training uses the mean and variance of the batch, and moves moving_mean and moving_variance towards them
/// by 1 - momentum. Otherwise, and if trainable is false, the moving statistics are used. Masked steps (the
/// mask has the input's shape without the last axis) and padding rows do not count; if no element counts,
/// mean and variance are 0, as in Keras. `renorm` corrects the batch's statistics towards running ones. f16
/// and bf16 are computed in f32; the weights are f32 too.
/// Shapes:  the output is the input's; gamma, beta, moving_mean, moving_variance [channels], in this order;
///          with renorm then moving_stddev, renorm_mean, renorm_stddev.
/// Errors:  InvalidArgument if an option is out of range, the axis is outside the input's rank or its extent
///          is unknown, or the mask has another rank than the input without an axis.
class BatchNormalization : public LayerHandle {
 public:
  explicit BatchNormalization(BatchNormalizationOptions options = {});
  explicit BatchNormalization(NoOptions) : BatchNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
