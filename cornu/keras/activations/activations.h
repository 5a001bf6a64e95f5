#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/keras/names.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

namespace activations {

using Function = std::function<Tensor(const Tensor&)>;

Tensor linear(const Tensor& x);
Tensor relu(const Tensor& x);
struct ReluOptions {
  double negative_slope = 0.0;
  std::optional<double> max_value = {};
  double threshold = 0.0;  // below it values become 0, or follow the slope
};
Tensor relu(const Tensor& x, const ReluOptions& options);
Tensor relu6(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double negative_slope = 0.2);
Tensor elu(const Tensor& x, double alpha = 1.0);
Tensor celu(const Tensor& x, double alpha = 1.0);
Tensor selu(const Tensor& x);
Tensor softmax(const Tensor& x);
Tensor log_softmax(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor log_sigmoid(const Tensor& x);
Tensor hard_sigmoid(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor hard_tanh(const Tensor& x);
Tensor softplus(const Tensor& x);
Tensor softsign(const Tensor& x);
Tensor silu(const Tensor& x);
Tensor hard_silu(const Tensor& x);
Tensor mish(const Tensor& x);
Tensor exponential(const Tensor& x);
/// x times the normal distribution function; `approximate`: by tanh.
Tensor gelu(const Tensor& x, bool approximate = false);
/// The first half along an axis, times the sigmoid of the second.
Tensor glu(const Tensor& x, std::int64_t axis = -1);
/// 0 between -threshold and threshold.
Tensor hard_shrink(const Tensor& x, double threshold = 0.5);
/// Moved by the threshold towards 0.
Tensor soft_shrink(const Tensor& x, double threshold = 0.5);
/// x - tanh(x)
Tensor tanh_shrink(const Tensor& x);
/// 0 up to -1, x from 1 on, (x + 1)^2 / 4 between.
Tensor sparse_plus(const Tensor& x);
/// 0 up to -1, 1 from 1 on, linear between.
Tensor sparse_sigmoid(const Tensor& x);
/// The nearest point of the probability simplex: like softmax, with zeros. (Keras 3.15 computes something else, which does not add up
/// to 1.)
Tensor sparsemax(const Tensor& x, std::int64_t axis = -1);
/// (x + sqrt(x^2 + b)) / 2
Tensor squareplus(const Tensor& x, double b = 4);
/// x where it is above the threshold, else default_value. Has no defaults, so it is not among the names.
Tensor threshold(const Tensor& x, double threshold, double default_value);

/// Every name there is, sorted.
const std::vector<std::string>& names();
/// Errors: InvalidArgument with the nearest known name.
Function from_name(const std::string& name, const ArgumentName& argument = {"activations.get", "name"});

}  // namespace activations

/// An option that takes an activation's name or any function of a tensor. Unset (and "linear") passes values through.
/// An unknown name is an error where it is used, so that the layer which takes the option can name itself: see check().
class ActivationSpec {
 public:
  ActivationSpec() = default;
  /// Null: unset.
  ActivationSpec(const char* name) : ActivationSpec(std::string(name == nullptr ? "linear" : name)) {}
  ActivationSpec(std::string name);
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, ActivationSpec> && std::is_invocable_r_v<Tensor, F&, const Tensor&>)
  ActivationSpec(F&& function) : name_("function"), function_(std::forward<F>(function)) {}
  /// For functions with overloads.
  ActivationSpec(Tensor (*function)(const Tensor&)) : name_("function"), function_(function) {}

  /// "linear" when unset.
  const std::string& name() const { return name_; }
  bool is_linear() const { return function_ == nullptr && is_known_; }
  /// Errors: InvalidArgument with the nearest known names when the name is unknown.
  void check(const ArgumentName& argument = {"activations.get", "name"}) const;
  /// Errors: as check.
  Tensor operator()(const Tensor& x) const {
    if (function_ != nullptr) return function_(x);
    check();
    return x;
  }

 private:
  std::string name_ = "linear";
  bool is_known_ = true;
  activations::Function function_;  // null: linear
};

}  // namespace cornu::inline v0::keras
