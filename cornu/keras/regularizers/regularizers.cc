#include "cornu/keras/regularizers/regularizers.h"

#include <array>
#include <cmath>
#include <utility>

#include "cornu/base/callable.h"
#include "cornu/base/check.h"
#include "cornu/keras/base/name_table.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

void check_factor(const char* caller, const char* name, double value) {
  if (!std::isfinite(value) || value < 0)
    invalid_argument({.argument = name}, "[{}] {} must be finite and not negative; got {} = {}", caller, name,
                     name, value);
}

class SumRegularizer : public Regularizer {
 public:
  SumRegularizer(std::string class_name, regularizers::L1L2Options options)
      : class_name_(std::move(class_name)), options_(options) {
    const std::string caller = canonical_name(class_name_);
    check_factor(caller.c_str(), "l1", options.l1);
    check_factor(caller.c_str(), "l2", options.l2);
  }
  std::string class_name() const override { return class_name_; }

  Tensor operator()(const Tensor& x) const override {
    Tensor penalty;
    if (options_.l1 != 0) penalty = ops::sum(ops::abs(x)) * options_.l1;
    if (options_.l2 != 0) {
      const Tensor squares = ops::sum(ops::square(x)) * options_.l2;
      penalty = penalty.defined() ? penalty + squares : squares;
    }
    return penalty.defined() ? penalty : Tensor::zeros({}, x.dtype());
  }

 private:
  std::string class_name_;
  regularizers::L1L2Options options_;
};

class OrthogonalPenalty : public Regularizer {
 public:
  explicit OrthogonalPenalty(regularizers::OrthogonalRegularizerOptions options)
      : options_(std::move(options)) {
    check_factor("orthogonal_regularizer", "factor", options_.factor);
    if (options_.mode != "rows" && options_.mode != "columns")
      invalid_argument({.argument = "mode"},
                       "[orthogonal_regularizer] mode must be \"rows\" or \"columns\"; got mode = \"{}\"",
                       options_.mode);
  }
  std::string class_name() const override { return "OrthogonalRegularizer"; }

  Tensor operator()(const Tensor& x) const override {
    if (x.rank() != 2)
      invalid_argument({.argument = "shape"}, "[orthogonal_regularizer] needs a matrix; got shape = {}",
                       ir::shape_str(x.shape()));
    const bool by_rows = options_.mode == "rows";
    const Tensor unit = ops::normalize(x, {.axis = by_rows ? 1 : 0});
    const Tensor products =
        by_rows ? ops::matmul(unit, ops::transpose(unit)) : ops::matmul(ops::transpose(unit), unit);
    const std::int64_t count = products.shape()[0];
    const Tensor index = ops::arange(count);
    const Tensor is_diagonal = ops::equal(ops::expand_dims(index, 0), ops::expand_dims(index, 1));
    const double num_pairs = static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
    return ops::sum(ops::abs(ops::where(is_diagonal, 0, products))) * (options_.factor * 0.5) / num_pairs;
  }

 private:
  regularizers::OrthogonalRegularizerOptions options_;
};

class FunctionRegularizer : public Regularizer {
 public:
  explicit FunctionRegularizer(std::function<Tensor(const Tensor&)> function)
      : function_(std::move(function)) {}
  std::string class_name() const override { return "function"; }
  Tensor operator()(const Tensor& x) const override { return function_(x); }

 private:
  std::function<Tensor(const Tensor&)> function_;
};

constexpr std::array<NamedMaker<Regularizer>, 4> kRegularizers = {{
    {"l1", &make_default<Regularizer, regularizers::L1>},
    {"l2", &make_default<Regularizer, regularizers::L2>},
    {"l1_l2", [] { return regularizers::L1L2({.l1 = 0.01, .l2 = 0.01}).shared(); }},
    {"orthogonal_regularizer", &make_default<Regularizer, regularizers::OrthogonalRegularizer>},
}};

}  // namespace

Config Regularizer::get_config() const {
  return described_config("keras.regularizers", "regularizer", class_name());
}

std::shared_ptr<Regularizer> Regularizer::from_name(const StringArgument& name,
                                                    const ArgumentName& argument) {
  if (std::shared_ptr<Regularizer> regularizer = make_named<Regularizer>(kRegularizers, name))
    return regularizer;
  unknown_name(argument, name, table_names<Regularizer>(kRegularizers));
}

std::shared_ptr<Regularizer> Regularizer::from_function(std::function<Tensor(const Tensor&)> function) {
  check_callable("regularizers.get", "regularizer", function);
  return std::make_shared<FunctionRegularizer>(std::move(function));
}

namespace regularizers {

L1::L1(L1Options options)
    : RegularizerHandle(std::make_shared<SumRegularizer>("L1", L1L2Options{.l1 = options.l1})) {
  saving::describe(*this, "L1", options);
}
L2::L2(L2Options options)
    : RegularizerHandle(std::make_shared<SumRegularizer>("L2", L1L2Options{.l2 = options.l2})) {
  saving::describe(*this, "L2", options);
}
L1L2::L1L2(L1L2Options options) : RegularizerHandle(std::make_shared<SumRegularizer>("L1L2", options)) {
  saving::describe(*this, "L1L2", options);
}
OrthogonalRegularizer::OrthogonalRegularizer(OrthogonalRegularizerOptions options)
    : RegularizerHandle(std::make_shared<OrthogonalPenalty>(options)) {
  saving::describe(*this, "OrthogonalRegularizer", options);
}

}  // namespace regularizers
}  // namespace cornu::inline v0::keras
