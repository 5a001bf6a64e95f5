#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

/// Limits of batch renormalization's corrections; unset: none.
struct RenormClipping {
  std::optional<double> rmin = {};
  std::optional<double> rmax = {};
  std::optional<double> dmax = {};
};

struct BatchNormalizationOptions {
  std::int64_t axis = -1;
  double momentum = 0.99;
  double epsilon = 1e-3;
  bool center = true;
  bool scale = true;
  InitializerSpec beta_initializer = "zeros";
  InitializerSpec gamma_initializer = "ones";
  InitializerSpec moving_mean_initializer = "zeros";
  InitializerSpec moving_variance_initializer = "ones";
  RegularizerSpec beta_regularizer = {};
  RegularizerSpec gamma_regularizer = {};
  ConstraintSpec beta_constraint = {};
  ConstraintSpec gamma_constraint = {};
  bool renorm = false;
  RenormClipping renorm_clipping = {};
  double renorm_momentum = 0.99;
  /// Statistics over the batches of all replicas of a strategy together. Otherwise each replica normalizes by
  /// its own, and the moving statistics move by their mean.
  bool synchronized = false;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(BatchNormalizationOptions, axis, momentum, epsilon, center, scale, beta_initializer,
             gamma_initializer, moving_mean_initializer, moving_variance_initializer, beta_regularizer,
             gamma_regularizer, beta_constraint, gamma_constraint, renorm, renorm_clipping, renorm_momentum,
             synchronized, activity_regularizer, name, trainable, dtype, input_shape)

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta, a mean and a variance for each channel along `axis`.
///
/// While training, the mean and variance of the batch, which move moving_mean and moving_variance by 1 -
/// momentum; else, and while trainable is false, the moving ones. Steps that a mask (of the input without its
/// last axis) takes out, and rows that are padding, do not count; where nothing counts, mean and variance are
/// 0, as in Keras. `renorm` corrects the batch's statistics towards running ones. f16 and bf16 are computed
/// in f32; so are the weights.
/// Shapes:  the output is the input's; gamma, beta, moving_mean, moving_variance [channels], in this order;
///          with renorm then moving_stddev, renorm_mean, renorm_stddev.
/// Errors:  InvalidArgument when an option is out of range, the axis is outside the input's rank or its
///          extent is unknown, or the mask has another rank than the input without an axis.
class BatchNormalization : public LayerHandle {
 public:
  explicit BatchNormalization(BatchNormalizationOptions options = {});
  explicit BatchNormalization(NoOptions) : BatchNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
