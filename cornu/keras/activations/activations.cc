#include "cornu/keras/activations/activations.h"

#include <array>
#include <cmath>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/keras/names.h"
#include "cornu/ops/erf/erf.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/run_op.h"

namespace cornu::inline v0::keras {

namespace activations {

Tensor linear(const Tensor& x) { return x; }
Tensor relu(const Tensor& x) { return ops::relu(x); }

Tensor relu(const Tensor& x, const ReluOptions& options) {
  const auto& [slope, max_value, threshold] = options;
  if (slope != 0 && !max_value && threshold == 0) return leaky_relu(x, slope);
  Tensor y = threshold == 0 ? ops::relu(x) : ops::where(ops::greater(x, threshold), x, 0);
  if (max_value) y = ops::clip(y, 0, *max_value);
  return slope == 0 ? y : y - ops::relu(threshold - x) * slope;
}

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

Tensor gelu(const Tensor& x, bool approximate) {
  if (approximate) return x * 0.5 * (ops::tanh((x + x * x * x * 0.044715) * std::sqrt(2 / std::numbers::pi)) + 1.0);
  const Tensor scaled = x / std::numbers::sqrt2;
  const Tensor error = detail::run_op(detail::OpKey("erf"), std::span(&scaled, 1),
                                      [](ir::Builder& b, std::span<const ir::Value> v) { return ops::erf(b, v[0]); });
  return x * 0.5 * (error + 1.0);
}

Tensor glu(const Tensor& x, std::int64_t axis) { return ops::glu(x, axis); }
Tensor hard_shrink(const Tensor& x, double threshold) { return ops::hard_shrink(x, threshold); }
Tensor soft_shrink(const Tensor& x, double threshold) { return ops::soft_shrink(x, threshold); }
Tensor tanh_shrink(const Tensor& x) { return ops::tanh_shrink(x); }
Tensor sparse_plus(const Tensor& x) { return ops::sparse_plus(x); }
Tensor sparse_sigmoid(const Tensor& x) { return ops::sparse_sigmoid(x); }
Tensor squareplus(const Tensor& x, double b) { return ops::squareplus(x, b); }
Tensor threshold(const Tensor& x, double threshold, double default_value) { return ops::threshold(x, threshold, default_value); }

// A value belongs to the support when 1 + k * it exceeds the sum of the k values that are not below it.
Tensor sparsemax(const Tensor& x, std::int64_t axis) {
  const std::int64_t rank = x.rank();
  if (axis < -rank || axis >= rank) invalid_argument("[sparsemax] axis is outside the {} axes of x; got axis = {}", rank, axis);
  const std::int64_t along = axis < 0 ? axis + rank : axis;
  const Tensor mine = ops::expand_dims(x, along);        // [..., 1, n, ...]
  const Tensor others = ops::expand_dims(x, along + 1);  // [..., n, 1, ...]
  const Tensor is_not_below = ops::greater_equal(others, mine);
  const int summed = static_cast<int>(along);
  const Tensor count = ops::sum(ops::cast(is_not_below, x.dtype()), {.axis = summed});
  const Tensor sum = ops::sum(ops::where(is_not_below, others, 0), {.axis = summed});
  const Tensor is_support = ops::greater(count * x + 1.0, sum);
  const Tensor support_size = ops::sum(ops::cast(is_support, x.dtype()), {.axis = summed, .keepdims = true});
  const Tensor support_sum = ops::sum(ops::where(is_support, x, 0), {.axis = summed, .keepdims = true});
  return ops::relu(x - (support_sum - 1.0) / support_size);
}

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

}  // namespace cornu::inline v0::keras
