#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/keras/config/fields.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// The projection of a weight after each update. For custom ones derive a class, or pass a callable as
/// ConstraintSpec.
class Constraint : public Configurable {
 public:
  static constexpr const char* kHandleKind = "constraint";  // see Handle

  /// Keras's class name: "MaxNorm".
  virtual std::string class_name() const = 0;
  /// Returns the projected weight, of the same type.
  virtual Tensor operator()(const Tensor& weight) const = 0;
  Config get_config() const override;

  /// Makes "max_norm", "non_neg", "unit_norm" or "min_max_norm". Errors: InvalidArgument, suggesting the
  /// nearest name.
  static std::shared_ptr<Constraint> from_name(const StringArgument& name,
                                               const ArgumentName& argument = {"constraints.get", "name"});
  static std::shared_ptr<Constraint> from_function(std::function<Tensor(const Tensor&)> function);
};
using ConstraintSpec = Spec<Constraint>;

/// A shared handle to a constraint, for users; callable.
class ConstraintHandle : public Handle<Constraint> {
 public:
  using Handle<Constraint>::Handle;
  Tensor operator()(const Tensor& weight) const { return (**this)(weight); }
};

namespace constraints {

struct MaxNormOptions {  // options/constraints.toml
  /// Largest norm; finite and not negative.
  double max_value = 2;
  /// Axes over which a norm is taken: 0 for the kernel of Dense, {0, 1, 2} for that of Conv2D.
  ops::Axes axis = 0;
};
CORNU_FIELDS(MaxNormOptions, max_value, axis)
/// Scales down the vectors along `axis` whose norm exceeds max_value. Errors: InvalidArgument if max_value is
/// negative or not finite.
class MaxNorm : public ConstraintHandle {
 public:
  explicit MaxNorm(MaxNormOptions options = {});
  explicit MaxNorm(NoOptions) : MaxNorm() {}
};

/// max(w, 0).
class NonNeg : public ConstraintHandle {
 public:
  NonNeg();
};

struct UnitNormOptions {  // options/constraints.toml
  /// Axes over which a norm is taken: 0 for the kernel of Dense, {0, 1, 2} for that of Conv2D.
  ops::Axes axis = 0;
};
CORNU_FIELDS(UnitNormOptions, axis)
/// Scales the vectors along `axis` to norm 1.
class UnitNorm : public ConstraintHandle {
 public:
  explicit UnitNorm(UnitNormOptions options = {});
  explicit UnitNorm(NoOptions) : UnitNorm() {}
};

struct MinMaxNormOptions {  // options/constraints.toml
  /// Smallest norm; not above max_value and not negative.
  double min_value = 0.0;
  /// Largest norm; finite and not negative.
  double max_value = 1.0;
  /// Share in [0, 1] of the way to the nearest allowed norm that each step takes; 1: all of it.
  double rate = 1.0;
  /// Axes over which a norm is taken: 0 for the kernel of Dense, {0, 1, 2} for that of Conv2D.
  ops::Axes axis = 0;
};
CORNU_FIELDS(MinMaxNormOptions, min_value, max_value, rate, axis)
/// Moves the norms of the vectors along `axis` into [min_value, max_value].
/// Errors: InvalidArgument unless 0 <= min_value <= max_value, finite, and 0 <= rate <= 1.
class MinMaxNorm : public ConstraintHandle {
 public:
  explicit MinMaxNorm(MinMaxNormOptions options = {});
  explicit MinMaxNorm(NoOptions) : MinMaxNorm() {}
};

}  // namespace constraints
}  // namespace cornu::inline v0::keras
