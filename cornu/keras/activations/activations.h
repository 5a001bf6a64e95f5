#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::keras {

namespace activations {

using Function = std::function<Tensor(const Tensor&)>;

Tensor linear(const Tensor& x);
Tensor relu(const Tensor& x);
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

/// Every name there is, sorted.
const std::vector<std::string>& names();
/// Errors: InvalidArgument with the nearest known name.
Function from_name(const std::string& name);

}  // namespace activations

/// An option that takes an activation's name or any function of a tensor. Unset (and "linear") passes values through.
/// An unknown name is an error where it is used, so that the layer which takes the option can name itself: see check().
class ActivationSpec {
 public:
  ActivationSpec() = default;
  ActivationSpec(const char* name) : ActivationSpec(std::string(name)) {}
  ActivationSpec(std::string name);
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, ActivationSpec> && std::is_invocable_r_v<Tensor, F&, const Tensor&>)
  ActivationSpec(F&& function) : name_("function"), function_(std::forward<F>(function)) {}
  /// For functions with overloads.
  ActivationSpec(Tensor (*function)(const Tensor&)) : name_("function"), function_(function) {}

  /// "linear" when unset.
  const std::string& name() const { return name_; }
  bool is_linear() const { return function_ == nullptr && is_known_; }
  /// Errors: InvalidArgument with the nearest known name when the name is unknown.
  void check() const;
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

}  // namespace cornu::keras
