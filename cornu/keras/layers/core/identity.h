#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

struct IdentityOptions {  // options/layers.toml
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
CORNU_FIELDS(IdentityOptions, activity_regularizer, name, trainable, dtype, input_shape)
/// Returns its inputs.
///
/// Shapes:  any -> the same.
class Identity : public LayerHandle {
 public:
  explicit Identity(IdentityOptions options = {});
  explicit Identity(NoOptions) : Identity() {}
};

struct ActivityRegularizationOptions {  // options/layers.toml
  /// Factor of the sum of absolute values; must not be negative.
  double l1 = 0.0;
  /// Factor of the sum of squares; must not be negative.
  double l2 = 0.0;
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
CORNU_FIELDS(ActivityRegularizationOptions, l1, l2, name, trainable, dtype, input_shape)
/// Returns its input and adds (l1 * sum(|x|) + l2 * sum(x^2)) / rows to the loss.
///
/// Shapes:  [batch, ...] -> the same.
/// Errors:  InvalidArgument if a factor is negative or not finite.
class ActivityRegularization : public LayerHandle {
 public:
  explicit ActivityRegularization(ActivityRegularizationOptions options = {});
  explicit ActivityRegularization(NoOptions) : ActivityRegularization() {}
};

struct UnitNormalizationOptions {  // options/layers.toml
  /// Axes of the vectors that get length 1; negative: from the end.
  ops::Axes axis = -1;
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
CORNU_FIELDS(UnitNormalizationOptions, axis, activity_regularizer, name, trainable, dtype, input_shape)
/// Scales the vectors along `axis` to length 1.
///
/// Shapes:  [batch, ...] -> the same.
/// Errors:  InvalidArgument if an axis is outside the rank.
class UnitNormalization : public LayerHandle {
 public:
  explicit UnitNormalization(UnitNormalizationOptions options = {});
  explicit UnitNormalization(NoOptions) : UnitNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
