#pragma once

#include <functional>
#include <string>
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
class ActivationSpec {
 public:
  ActivationSpec() = default;
  ActivationSpec(const char* name) : ActivationSpec(std::string(name)) {}
  /// Errors: InvalidArgument with the nearest known name.
  ActivationSpec(std::string name);
  ActivationSpec(activations::Function function) : name_("function"), function_(std::move(function)) {}
  ActivationSpec(Tensor (*function)(const Tensor&)) : name_("function"), function_(function) {}

  /// "linear" when unset.
  const std::string& name() const { return name_; }
  bool is_linear() const { return function_ == nullptr; }
  Tensor operator()(const Tensor& x) const { return function_ == nullptr ? x : function_(x); }

 private:
  std::string name_ = "linear";
  activations::Function function_;  // null: linear
};

}  // namespace cornu::keras
