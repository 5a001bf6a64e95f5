#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

struct IdentityOptions {
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(IdentityOptions, activity_regularizer, name, trainable, dtype, input_shape)
/// Gives its inputs.
class Identity : public LayerHandle {
 public:
  explicit Identity(IdentityOptions options = {});
  explicit Identity(NoOptions) : Identity() {}
};

struct ActivityRegularizationOptions {
  double l1 = 0.0;
  double l2 = 0.0;
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(ActivityRegularizationOptions, l1, l2, name, trainable, dtype, input_shape)
/// Gives its input and adds (l1 * sum(|x|) + l2 * sum(x^2)) / rows to the loss.
/// Errors: InvalidArgument when a factor is negative or not finite.
class ActivityRegularization : public LayerHandle {
 public:
  explicit ActivityRegularization(ActivityRegularizationOptions options = {});
  explicit ActivityRegularization(NoOptions) : ActivityRegularization() {}
};

struct UnitNormalizationOptions {
  ops::Axes axis = -1;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(UnitNormalizationOptions, axis, activity_regularizer, name, trainable, dtype, input_shape)
/// Scales the vectors along `axis` to length 1. Errors: InvalidArgument when an axis is outside the rank.
class UnitNormalization : public LayerHandle {
 public:
  explicit UnitNormalization(UnitNormalizationOptions options = {});
  explicit UnitNormalization(NoOptions) : UnitNormalization() {}
};

}  // namespace cornu::inline v0::keras::layers
