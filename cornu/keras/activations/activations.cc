#include "cornu/keras/activations/activations.h"

#include <array>

#include "cornu/keras/names.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras {

namespace activations {

Tensor linear(const Tensor& x) { return x; }
Tensor relu(const Tensor& x) { return ops::relu(x); }
Tensor relu6(const Tensor& x) { return ops::clip(x, 0, 6); }
Tensor leaky_relu(const Tensor& x, double negative_slope) { return ops::where(ops::greater_equal(x, 0), x, x * negative_slope); }

// expm1 sees no positive value, so that neither it nor its gradient overflows where the other branch is taken.
Tensor elu(const Tensor& x, double alpha) {
  const Tensor is_positive = ops::greater(x, 0);
  return ops::where(is_positive, x, ops::expm1(ops::where(is_positive, 0, x)) * alpha);
}
Tensor celu(const Tensor& x, double alpha) { return ops::relu(x) + ops::expm1(ops::minimum(x, 0) / alpha) * alpha; }
Tensor selu(const Tensor& x) { return elu(x, 1.6732632423543772848170429916717) * 1.0507009873554804934193349852946; }

Tensor softmax(const Tensor& x) { return ops::softmax(x); }
Tensor log_softmax(const Tensor& x) { return ops::log_softmax(x); }
Tensor sigmoid(const Tensor& x) { return ops::sigmoid(x); }
Tensor log_sigmoid(const Tensor& x) { return -ops::softplus(-x); }
Tensor hard_sigmoid(const Tensor& x) { return relu6(x + 3.0) / 6.0; }
Tensor tanh(const Tensor& x) { return ops::tanh(x); }
Tensor hard_tanh(const Tensor& x) { return ops::clip(x, -1, 1); }
Tensor softplus(const Tensor& x) { return ops::softplus(x); }
Tensor softsign(const Tensor& x) { return x / (ops::abs(x) + 1.0); }
Tensor silu(const Tensor& x) { return x * ops::sigmoid(x); }
Tensor hard_silu(const Tensor& x) { return x * hard_sigmoid(x); }
Tensor mish(const Tensor& x) { return x * ops::tanh(ops::softplus(x)); }
Tensor exponential(const Tensor& x) { return ops::exp(x); }

namespace {

struct NamedActivation {
  const char* name;
  Tensor (*function)(const Tensor&);
};
constexpr std::array kActivations = {
    NamedActivation{"celu", [](const Tensor& x) { return celu(x); }},
    NamedActivation{"elu", [](const Tensor& x) { return elu(x); }},
    NamedActivation{"exponential", &exponential},
    NamedActivation{"hard_sigmoid", &hard_sigmoid},
    NamedActivation{"hard_silu", &hard_silu},
    NamedActivation{"hard_swish", &hard_silu},
    NamedActivation{"hard_tanh", &hard_tanh},
    NamedActivation{"leaky_relu", [](const Tensor& x) { return leaky_relu(x); }},
    NamedActivation{"linear", &linear},
    NamedActivation{"log_sigmoid", &log_sigmoid},
    NamedActivation{"log_softmax", &log_softmax},
    NamedActivation{"mish", &mish},
    NamedActivation{"relu", &relu},
    NamedActivation{"relu6", &relu6},
    NamedActivation{"selu", &selu},
    NamedActivation{"sigmoid", &sigmoid},
    NamedActivation{"silu", &silu},
    NamedActivation{"softmax", &softmax},
    NamedActivation{"softplus", &softplus},
    NamedActivation{"softsign", &softsign},
    NamedActivation{"swish", &silu},
    NamedActivation{"tanh", &tanh},
};

}  // namespace

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> result;
    for (const NamedActivation& named : kActivations) result.emplace_back(named.name);
    return result;
  }();
  return all;
}

namespace {

const NamedActivation* find(const std::string& name) {
  const std::string wanted = canonical_name(name);
  for (const NamedActivation& named : kActivations)
    if (wanted == canonical_name(named.name)) return &named;
  return nullptr;
}

}  // namespace

Function from_name(const std::string& name) {
  if (const NamedActivation* named = find(name)) return named->function;
  unknown_name("activation", name, names());
}

}  // namespace activations

ActivationSpec::ActivationSpec(std::string name) : name_(std::move(name)) {
  const activations::NamedActivation* named = activations::find(name_);
  is_known_ = named != nullptr;
  if (is_known_ && named->function != &activations::linear) function_ = named->function;
}

void ActivationSpec::check() const {
  if (!is_known_) unknown_name("activation", name_, activations::names());
}

}  // namespace cornu::keras
