#include "cornu/keras/activations/activations.h"

#include <array>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/activations/remat_activations_support.h"
#include "cornu/keras/base/names.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/remat.h"

namespace cornu::inline v0::keras {

namespace activations {

Tensor linear(const Tensor& x) { return x; }
Tensor relu(const Tensor& x) { return ops::relu(x); }

Tensor relu(const Tensor& x, const ReluOptions& options) {
  const auto& [slope, max_value, threshold] = options;
  if (slope != 0 && !max_value && threshold == 0) return leaky_relu(x, slope);
  const bool is_relu6 = threshold == 0 && max_value == 6.0;
  Tensor y = is_relu6         ? ops::relu6(x)
             : threshold == 0 ? ops::relu(x)
                              : ops::where(ops::greater(x, threshold), x, 0);
  if (max_value && !is_relu6) y = ops::clip(y, 0, *max_value);
  return slope == 0 ? y : y - ops::relu(threshold - x) * slope;
}

Tensor relu6(const Tensor& x) { return ops::relu6(x); }
Tensor leaky_relu(const Tensor& x, double negative_slope) { return ops::leaky_relu(x, negative_slope); }

Tensor elu(const Tensor& x, double alpha) { return ops::elu(x, alpha); }
Tensor celu(const Tensor& x, double alpha) { return ops::celu(x, alpha); }
Tensor selu(const Tensor& x) { return ops::selu(x); }

Tensor softmax(const Tensor& x) { return ops::softmax(x); }
Tensor log_softmax(const Tensor& x) { return ops::log_softmax(x); }
Tensor sigmoid(const Tensor& x) { return ops::sigmoid(x); }
Tensor log_sigmoid(const Tensor& x) { return ops::log_sigmoid(x); }
Tensor hard_sigmoid(const Tensor& x) { return ops::hard_sigmoid(x); }
Tensor tanh(const Tensor& x) { return ops::tanh(x); }
Tensor hard_tanh(const Tensor& x) { return ops::hard_tanh(x); }
Tensor softplus(const Tensor& x) { return ops::softplus(x); }
Tensor softsign(const Tensor& x) { return ops::softsign(x); }
Tensor silu(const Tensor& x) { return ops::silu(x); }
Tensor hard_silu(const Tensor& x) { return ops::hard_silu(x); }
Tensor mish(const Tensor& x) { return x * ops::tanh(ops::softplus(x)); }
Tensor exponential(const Tensor& x) { return ops::exp(x); }

Tensor gelu(const Tensor& x, bool approximate) { return ops::gelu(x, approximate); }
Tensor glu(const Tensor& x, std::int64_t axis) { return ops::glu(x, axis); }
Tensor hard_shrink(const Tensor& x, double threshold) { return ops::hard_shrink(x, threshold); }
Tensor soft_shrink(const Tensor& x, double threshold) { return ops::soft_shrink(x, threshold); }
Tensor tanh_shrink(const Tensor& x) { return ops::tanh_shrink(x); }
Tensor sparse_plus(const Tensor& x) { return ops::sparse_plus(x); }
Tensor sparse_sigmoid(const Tensor& x) { return ops::sparse_sigmoid(x); }
Tensor squareplus(const Tensor& x, double b) { return ops::squareplus(x, b); }
Tensor threshold(const Tensor& x, double threshold, double default_value) {
  return ops::threshold(x, threshold, default_value);
}

Tensor sparsemax(const Tensor& x, std::int64_t axis) { return ops::sparsemax(x, axis); }

namespace {

struct NamedActivation {
  const char* name;
  Tensor (*function)(const Tensor&);
};
constexpr std::array kActivations = {
    NamedActivation{"celu", [](const Tensor& x) { return celu(x); }},
    NamedActivation{"elu", [](const Tensor& x) { return elu(x); }},
    NamedActivation{"exponential", &exponential},
    NamedActivation{"gelu", [](const Tensor& x) { return gelu(x); }},
    NamedActivation{"glu", [](const Tensor& x) { return glu(x); }},
    NamedActivation{"hard_shrink", [](const Tensor& x) { return hard_shrink(x); }},
    NamedActivation{"hard_sigmoid", &hard_sigmoid},
    NamedActivation{"hard_silu", &hard_silu},
    NamedActivation{"hard_swish", &hard_silu},
    NamedActivation{"hard_tanh", &hard_tanh},
    NamedActivation{"leaky_relu", [](const Tensor& x) { return leaky_relu(x); }},
    NamedActivation{"linear", &linear},
    NamedActivation{"log_sigmoid", &log_sigmoid},
    NamedActivation{"log_softmax", &log_softmax},
    NamedActivation{"mish", &mish},
    NamedActivation{"relu", [](const Tensor& x) { return ops::relu(x); }},
    NamedActivation{"relu6", &relu6},
    NamedActivation{"selu", &selu},
    NamedActivation{"sigmoid", &sigmoid},
    NamedActivation{"silu", &silu},
    NamedActivation{"soft_shrink", [](const Tensor& x) { return soft_shrink(x); }},
    NamedActivation{"softmax", &softmax},
    NamedActivation{"softplus", &softplus},
    NamedActivation{"softsign", &softsign},
    NamedActivation{"sparse_plus", &sparse_plus},
    NamedActivation{"sparse_sigmoid", &sparse_sigmoid},
    NamedActivation{"sparsemax", [](const Tensor& x) { return sparsemax(x); }},
    NamedActivation{"squareplus", [](const Tensor& x) { return squareplus(x); }},
    NamedActivation{"swish", &silu},
    NamedActivation{"tanh", &tanh},
    NamedActivation{"tanh_shrink", &tanh_shrink},
};

/// Functions in files from before Keras 3 whose names belong to other functions now; not in names().
constexpr std::array kOldActivations = {
    NamedActivation{"keras2_hard_sigmoid", [](const Tensor& x) { return ops::clip(x * 0.2 + 0.5, 0, 1); }},
};

}  // namespace

const std::vector<std::string>& names() {
  static const auto& all = *new std::vector<std::string>([] {
    std::vector<std::string> result;
    result.reserve(kActivations.size());
    for (const NamedActivation& named : kActivations) result.emplace_back(named.name);
    return result;
  }());
  return all;
}

namespace {

const NamedActivation* find(const std::string& name) {
  const std::string wanted = canonical_name(name);
  for (const NamedActivation& named : kActivations)
    if (wanted == canonical_name(named.name)) return &named;
  for (const NamedActivation& named : kOldActivations)
    if (wanted == canonical_name(named.name)) return &named;
  return nullptr;
}

}  // namespace

ActivationFunction from_name(const StringArgument& name, const ArgumentName& argument) {
  if (const NamedActivation* named = find(name)) return named->function;
  unknown_name(argument, name, names());
}

namespace {

thread_local bool computes_again = false;

}  // namespace

RematActivations::RematActivations(bool is_on) : before_(std::exchange(computes_again, is_on)) {}
RematActivations::~RematActivations() { computes_again = before_; }

Tensor applied(const ActivationFunction& f, const Tensor& x) { return computes_again ? remat(f)(x) : f(x); }

}  // namespace activations

ActivationSpec::ActivationSpec(std::string name) : name_(std::move(name)) {
  const activations::NamedActivation* named = activations::find(name_);
  is_known_ = named != nullptr;
  if (is_known_ && named->function != &activations::linear) function_ = named->function;
}

bool ActivationSpec::keeps_type() const {
  return is_linear() ||
         (activations::find(name_) != nullptr && name_ != "glu");  // glu returns half the features
}

std::optional<std::string> ActivationSpec::keras_name() const {
  const auto* pointer = function_.target<Tensor (*)(const Tensor&)>();
  const activations::NamedActivation* named = activations::find(name_);
  if (named == nullptr && pointer == nullptr) return std::nullopt;
  // The first row of a function has Keras's own name; further rows have old names.
  for (const activations::NamedActivation& row : activations::kActivations)
    if (row.function == (named != nullptr ? named->function : *pointer)) return row.name;
  return named != nullptr ? std::optional<std::string>(named->name) : std::nullopt;
}

void ActivationSpec::check(const ArgumentName& argument) const {
  if (!is_known_) unknown_name(argument, name_, activations::names());
}

}  // namespace cornu::inline v0::keras
