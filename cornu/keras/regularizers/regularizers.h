#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/config/configurable.h"
#include "cornu/keras/config/fields.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// A penalty on weights or outputs, added to the loss. For custom ones derive a class, or pass a callable as
/// RegularizerSpec.
class Regularizer : public Configurable {
 public:
  static constexpr const char* kHandleKind = "regularizer";  // see Handle

  /// Keras's class name: "L2".
  virtual std::string class_name() const = 0;
  /// Returns a scalar of x's dtype.
  virtual Tensor operator()(const Tensor& x) const = 0;
  Config get_config() const override;

  /// Makes "l1", "l2", "l1_l2" or "orthogonal_regularizer"; "l1_l2" has both factors 0.01, as Keras documents
  /// (Keras's own name gives no penalty).
  /// Errors: InvalidArgument, suggesting the nearest name.
  static std::shared_ptr<Regularizer> from_name(const StringArgument& name,
                                                const ArgumentName& argument = {"regularizers.get", "name"});
  static std::shared_ptr<Regularizer> from_function(std::function<Tensor(const Tensor&)> function);
};
using RegularizerSpec = Spec<Regularizer>;

/// A shared handle to a regularizer, for users; callable.
class RegularizerHandle : public Handle<Regularizer> {
 public:
  using Handle<Regularizer>::Handle;
  Tensor operator()(const Tensor& x) const { return (**this)(x); }
};

namespace regularizers {

struct L1Options {  // options/regularizers.toml
  /// Factor of the sum of absolute values; finite and not negative.
  double l1 = 0.01;
};
CORNU_FIELDS(L1Options, l1)
/// l1 * sum(|x|). Errors: InvalidArgument if l1 is negative or not finite.
class L1 : public RegularizerHandle {
 public:
  explicit L1(L1Options options = {});
  explicit L1(NoOptions) : L1() {}
};

struct L2Options {  // options/regularizers.toml
  /// Factor of the sum of squares; finite and not negative.
  double l2 = 0.01;
};
CORNU_FIELDS(L2Options, l2)
/// l2 * sum(x^2). Errors: InvalidArgument if l2 is negative or not finite.
class L2 : public RegularizerHandle {
 public:
  explicit L2(L2Options options = {});
  explicit L2(NoOptions) : L2() {}
};

struct L1L2Options {  // options/regularizers.toml
  /// Factor of the sum of absolute values; finite and not negative.
  double l1 = 0.0;
  /// Factor of the sum of squares; finite and not negative.
  double l2 = 0.0;
};
CORNU_FIELDS(L1L2Options, l1, l2)
/// l1 * sum(|x|) + l2 * sum(x^2). Errors: InvalidArgument if a factor is negative or not finite.
class L1L2 : public RegularizerHandle {
 public:
  explicit L1L2(L1L2Options options = {});
  explicit L1L2(NoOptions) : L1L2() {}
};

struct OrthogonalRegularizerOptions {  // options/regularizers.toml
  /// Factor of the mean size of the dot products; finite and not negative.
  double factor = 0.01;
  /// Vectors that shall be orthogonal: "rows" or "columns".
  std::string mode = "rows";
};
CORNU_FIELDS(OrthogonalRegularizerOptions, factor, mode)
/// `factor` times the mean absolute dot product of different rows (columns) of a matrix, each scaled to unit
/// length.
/// Errors: InvalidArgument for another mode, a factor that is negative or not finite, and, when called,
///         another rank than 2.
class OrthogonalRegularizer : public RegularizerHandle {
 public:
  explicit OrthogonalRegularizer(OrthogonalRegularizerOptions options = {});
  explicit OrthogonalRegularizer(NoOptions) : OrthogonalRegularizer() {}
};

}  // namespace regularizers
}  // namespace cornu::inline v0::keras
