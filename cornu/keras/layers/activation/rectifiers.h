#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

struct ReLUOptions {  // options/layers.toml
  /// Upper bound of the output; unset: none.
  std::optional<double> max_value = {};
  /// Slope below the threshold; must not be negative.
  double negative_slope = 0.0;
  /// Value below which the output is 0 or follows negative_slope; must not be negative.
  double threshold = 0.0;
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
CORNU_FIELDS(ReLUOptions, max_value, negative_slope, threshold, activity_regularizer, name, trainable, dtype,
             input_shape)
/// min(x, max_value) above the threshold, negative_slope * (x - threshold) below.
///
/// Shapes:  any -> the same.
/// Errors:  InvalidArgument if an option is negative.
class ReLU : public LayerHandle {
 public:
  explicit ReLU(ReLUOptions options = {});
  explicit ReLU(NoOptions) : ReLU() {}
};

struct LeakyReLUOptions {  // options/layers.toml
  /// Slope below 0; must not be negative.
  double negative_slope = 0.3;
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
CORNU_FIELDS(LeakyReLUOptions, negative_slope, activity_regularizer, name, trainable, dtype, input_shape)
/// x, and negative_slope * x below 0.
///
/// Shapes:  any -> the same.
/// Errors:  InvalidArgument if negative_slope is negative.
class LeakyReLU : public LayerHandle {
 public:
  explicit LeakyReLU(LeakyReLUOptions options = {});
  explicit LeakyReLU(NoOptions) : LeakyReLU() {}
};

struct PReLUOptions {  // options/layers.toml
  /// Initializer of the slopes below 0.
  InitializerSpec alpha_initializer = "zeros";
  /// Penalty on the slopes; empty: none.
  RegularizerSpec alpha_regularizer = {};
  /// Projection of the slopes after each update; empty: none.
  ConstraintSpec alpha_constraint = {};
  /// Axes, counted from 1, whose elements share one slope; empty: each element has its own.
  std::vector<std::int64_t> shared_axes = {};
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
CORNU_FIELDS(PReLUOptions, alpha_initializer, alpha_regularizer, alpha_constraint, shared_axes,
             activity_regularizer, name, trainable, dtype, input_shape)
/// x, and alpha * x below 0; alpha is a weight of the input's shape without the batch.
///
/// Shapes:  [batch, d1, d2, ...] -> the same; alpha [d1, d2, ...], with extent 1 for axes in shared_axes.
class PReLU : public LayerHandle {
 public:
  explicit PReLU(PReLUOptions options = {});
  explicit PReLU(NoOptions) : PReLU() {}
};

struct ELUOptions {  // options/layers.toml
  /// Factor of exp(x) - 1 below 0.
  double alpha = 1.0;
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
CORNU_FIELDS(ELUOptions, alpha, activity_regularizer, name, trainable, dtype, input_shape)
/// x, and alpha * (exp(x) - 1) below 0.
///
/// Shapes:  any -> the same.
class ELU : public LayerHandle {
 public:
  explicit ELU(ELUOptions options = {});
  explicit ELU(NoOptions) : ELU() {}
};

}  // namespace cornu::inline v0::keras::layers
