#include "cornu/keras/constraints/constraints.h"

#include <array>
#include <cmath>
#include <utility>

#include "cornu/base/callable.h"
#include "cornu/base/check.h"
#include "cornu/keras/base/name_table.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/tensor/ops/epsilon.h"

namespace cornu::inline v0::keras {
namespace {

class FunctionConstraint : public Constraint {
 public:
  FunctionConstraint(std::string class_name, std::function<Tensor(const Tensor&)> function)
      : class_name_(std::move(class_name)), function_(std::move(function)) {}
  std::string class_name() const override { return class_name_; }
  Tensor operator()(const Tensor& weight) const override { return function_(weight); }

 private:
  std::string class_name_;
  std::function<Tensor(const Tensor&)> function_;
};

Tensor norms_of(const Tensor& weight, const ops::Axes& axis) {
  return ops::sqrt(ops::sum(ops::square(weight), {.axis = axis, .keepdims = true}));
}

constexpr std::array<NamedMaker<Constraint>, 4> kConstraints = {{
    {"max_norm", &make_default<Constraint, constraints::MaxNorm>},
    {"non_neg", &make_default<Constraint, constraints::NonNeg>},
    {"unit_norm", &make_default<Constraint, constraints::UnitNorm>},
    {"min_max_norm", &make_default<Constraint, constraints::MinMaxNorm>},
}};

std::shared_ptr<Constraint> make_constraint(const char* class_name,
                                            std::function<Tensor(const Tensor&)> function) {
  return std::make_shared<FunctionConstraint>(class_name, std::move(function));
}

std::shared_ptr<Constraint> make_max_norm(const constraints::MaxNormOptions& options) {
  if (!std::isfinite(options.max_value) || options.max_value < 0)
    invalid_argument({.argument = "max_value"},
                     "[max_norm] max_value must be finite and not negative; got max_value = {}",
                     options.max_value);
  return make_constraint("MaxNorm", [options](const Tensor& weight) {
    const Tensor norms = norms_of(weight, options.axis);
    return weight * (ops::clip(norms, 0, options.max_value) / (norms + cornu::detail::small_number()));
  });
}

std::shared_ptr<Constraint> make_min_max_norm(const constraints::MinMaxNormOptions& options) {
  if (!(options.min_value >= 0 && options.min_value <= options.max_value && std::isfinite(options.max_value)))
    invalid_argument(
        {.argument = "min_value"},
        "[min_max_norm] 0 <= min_value <= max_value must hold; got min_value = {}, max_value = {}",
        options.min_value, options.max_value);
  if (!(options.rate >= 0 && options.rate <= 1))
    invalid_argument({.argument = "rate"}, "[min_max_norm] rate must be in [0, 1]; got rate = {}",
                     options.rate);
  return make_constraint("MinMaxNorm", [options](const Tensor& weight) {
    const Tensor norms = norms_of(weight, options.axis);
    const Tensor desired =
        ops::clip(norms, options.min_value, options.max_value) * options.rate + norms * (1 - options.rate);
    return weight * (desired / (norms + cornu::detail::small_number()));
  });
}

}  // namespace

Config Constraint::get_config() const {
  return described_config("keras.constraints", "constraint", class_name());
}

std::shared_ptr<Constraint> Constraint::from_name(const StringArgument& name, const ArgumentName& argument) {
  if (std::shared_ptr<Constraint> constraint = make_named<Constraint>(kConstraints, name)) return constraint;
  unknown_name(argument, name, table_names<Constraint>(kConstraints));
}

std::shared_ptr<Constraint> Constraint::from_function(std::function<Tensor(const Tensor&)> function) {
  check_callable("constraints.get", "constraint", function);
  return make_constraint("function", std::move(function));
}

namespace constraints {

MaxNorm::MaxNorm(MaxNormOptions options) : ConstraintHandle(make_max_norm(options)) {
  saving::describe(*this, "MaxNorm", options);
}
NonNeg::NonNeg()
    : ConstraintHandle(
          make_constraint("NonNeg", [](const Tensor& weight) { return ops::maximum(weight, 0); })) {
  saving::describe(*this, "NonNeg", saving::NoFields());
}
UnitNorm::UnitNorm(UnitNormOptions options)
    : ConstraintHandle(make_constraint("UnitNorm", [options](const Tensor& weight) {
        return weight / (norms_of(weight, options.axis) + cornu::detail::small_number());
      })) {
  saving::describe(*this, "UnitNorm", options);
}
MinMaxNorm::MinMaxNorm(MinMaxNormOptions options) : ConstraintHandle(make_min_max_norm(options)) {
  saving::describe(*this, "MinMaxNorm", options);
}

}  // namespace constraints
}  // namespace cornu::inline v0::keras
