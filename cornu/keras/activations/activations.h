#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/base/string_argument.h"
#include "cornu/keras/base/names.h"
#include "cornu/tensor/ops/nn.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

class Layer;

namespace activations {

using ActivationFunction = std::function<Tensor(const Tensor&)>;
using ops::EluOptions, ops::LastAxisOptions, ops::LeakyReluOptions, ops::ShrinkOptions, ops::SoftmaxOptions,
    ops::SquareplusOptions;

// Optional arguments by position, from before there were options.
Tensor leaky_relu(const Tensor& x, double negative_slope);
Tensor elu(const Tensor& x, double alpha);
Tensor celu(const Tensor& x, double alpha);
Tensor gelu(const Tensor& x, bool approximate);
Tensor glu(const Tensor& x, std::int64_t axis);
Tensor hard_shrink(const Tensor& x, double threshold);
Tensor soft_shrink(const Tensor& x, double threshold);
Tensor sparsemax(const Tensor& x, std::int64_t axis);
Tensor squareplus(const Tensor& x, double b);

Tensor linear(const Tensor& x);
Tensor relu(const Tensor& x);
struct ReluOptions {  // options/functions.toml
  /// Slope below the threshold.
  double negative_slope = 0.0;
  /// Upper bound of the result; unset: none.
  std::optional<double> max_value = {};
  /// Value below which the result is 0 or follows negative_slope.
  double threshold = 0.0;
};
Tensor relu(const Tensor& x, const ReluOptions& options);
Tensor relu6(const Tensor& x);
inline Tensor leaky_relu(const Tensor& x, const LeakyReluOptions& options = {}) {
  return leaky_relu(x, options.negative_slope);
}
inline Tensor elu(const Tensor& x, const EluOptions& options = {}) { return elu(x, options.alpha); }
inline Tensor celu(const Tensor& x, const EluOptions& options = {}) { return celu(x, options.alpha); }
Tensor selu(const Tensor& x);
Tensor softmax(const Tensor& x);
Tensor log_softmax(const Tensor& x);
inline Tensor softmax(const Tensor& x, const SoftmaxOptions& options) { return ops::softmax(x, options); }
inline Tensor log_softmax(const Tensor& x, const SoftmaxOptions& options) {
  return ops::log_softmax(x, options);
}
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
struct GeluOptions {  // options/functions.toml
  /// True: an approximation by tanh.
  bool approximate = false;
};
/// x times the normal distribution function.
inline Tensor gelu(const Tensor& x, const GeluOptions& options = {}) { return gelu(x, options.approximate); }
/// The first half along an axis, times the sigmoid of the second.
inline Tensor glu(const Tensor& x, const LastAxisOptions& options = {}) { return glu(x, options.axis); }
/// 0 between -threshold and threshold.
inline Tensor hard_shrink(const Tensor& x, const ShrinkOptions& options = {}) {
  return hard_shrink(x, options.threshold);
}
/// Moves x by the threshold towards 0.
inline Tensor soft_shrink(const Tensor& x, const ShrinkOptions& options = {}) {
  return soft_shrink(x, options.threshold);
}
/// x - tanh(x)
Tensor tanh_shrink(const Tensor& x);
/// 0 up to -1, x from 1 on, (x + 1)^2 / 4 between.
Tensor sparse_plus(const Tensor& x);
/// 0 up to -1, 1 from 1 on, linear between.
Tensor sparse_sigmoid(const Tensor& x);
/// The nearest point of the probability simplex: like softmax, with zeros. (Keras 3.15's function differs,
/// and its results do not sum to 1.)
inline Tensor sparsemax(const Tensor& x, const LastAxisOptions& options = {}) {
  return sparsemax(x, options.axis);
}
/// (x + sqrt(x^2 + b)) / 2
inline Tensor squareplus(const Tensor& x, const SquareplusOptions& options = {}) {
  return squareplus(x, options.b);
}
/// x if it is above the threshold, else default_value. Has no defaults, so it is not in names().
Tensor threshold(const Tensor& x, double threshold, double default_value);

/// f(x), computed again during the backward pass in layers of a RematScope of mode "activations".
Tensor applied(const ActivationFunction& f, const Tensor& x);

/// All names, sorted.
const std::vector<std::string>& names();
/// Errors: InvalidArgument, suggesting the nearest name.
ActivationFunction from_name(const StringArgument& name,
                             const ArgumentName& argument = {"activations.get", "name"});

}  // namespace activations

/// An option that takes an activation's name, a layer or any function of a tensor. Unset and "linear" return
/// their input. An unknown name is an error at the option's use, so that the layer can name itself: see
/// check().
class ActivationSpec {
 public:
  ActivationSpec() = default;
  /// Null: unset.
  ActivationSpec(const char* name) : ActivationSpec(std::string(name == nullptr ? "linear" : name)) {}
  ActivationSpec(std::string name);
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, ActivationSpec> &&
             std::is_invocable_r_v<Tensor, F&, const Tensor&>)
  ActivationSpec(F&& function)
      : name_("function"), layer_(layer_of(function)), function_(std::forward<F>(function)) {
    check_callable("activations.get", "activation", function_);
  }
  /// For functions with overloads.
  ActivationSpec(Tensor (*function)(const Tensor&)) : name_("function"), function_(function) {
    check_callable("activations.get", "activation", function_);
  }

  /// "linear" if unset.
  const std::string& name() const { return name_; }
  /// Keras's name of the function ("silu" for "swish"); nullopt if it has none.
  std::optional<std::string> keras_name() const;
  /// The layer, if one was given instead of a function; else null.
  const std::shared_ptr<Layer>& layer() const { return layer_; }
  bool is_linear() const { return function_ == nullptr && is_known_; }
  /// True if the named function is known to keep the shape and dtype of floating-point inputs.
  bool keeps_type() const;
  /// Errors: InvalidArgument, suggesting the nearest names, for an unknown name.
  void check(const ArgumentName& argument = {"activations.get", "name"}) const;
  /// Errors: those of check().
  Tensor operator()(const Tensor& x) const {
    if (function_ != nullptr) return activations::applied(function_, x);
    check();
    return x;
  }

 private:
  template <typename F>
  static std::shared_ptr<Layer> layer_of(const F& function) {
    if constexpr (requires { std::shared_ptr<Layer>(function.shared()); })
      return function.shared();
    else
      return nullptr;
  }

  std::string name_ = "linear";
  bool is_known_ = true;
  std::shared_ptr<Layer> layer_;
  activations::ActivationFunction function_;  // null: linear
};

}  // namespace cornu::inline v0::keras
