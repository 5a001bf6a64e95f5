#pragma once

#include <concepts>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

/// A function of one or several tensors, with one or several results.
class LambdaFunction {
 public:
  using Function = std::function<std::vector<Tensor>(std::span<const Tensor>)>;

  LambdaFunction() = default;
  template <typename F>
    requires std::is_invocable_r_v<Tensor, F&, const Tensor&>
  LambdaFunction(F function) {
    if (is_callable(function))
      function_ = [f = std::move(function)](std::span<const Tensor> inputs) mutable {
        return std::vector<Tensor>{f(the_input(inputs))};
      };
  }
  template <typename F>
    requires(!std::is_invocable_v<F&, const Tensor&> && std::is_invocable_v<F&, std::span<const Tensor>>)
  LambdaFunction(F function) {
    if (is_callable(function))
      function_ = [f = std::move(function)](std::span<const Tensor> inputs) mutable {
        return list(f(inputs));
      };
  }

  /// False also for an empty std::function.
  bool defined() const { return function_ != nullptr; }
  std::vector<Tensor> operator()(std::span<const Tensor> inputs) const { return function_(inputs); }

 private:
  static const Tensor& the_input(std::span<const Tensor> inputs);
  static std::vector<Tensor> list(Tensor tensor) { return {std::move(tensor)}; }
  static std::vector<Tensor> list(std::vector<Tensor> tensors) { return tensors; }

  Function function_;
};

struct LambdaOptions {  // options/layers.toml
  /// Function of one tensor, or of a list of tensors; required.
  LambdaFunction function = {};
  /// Function that returns the output's mask for the input; empty: the output has no mask.
  LambdaFunction mask = {};
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(LambdaOptions, function, mask, activity_regularizer, name, trainable, dtype, input_shape)

/// Applies a function of the user's. It has no weights; objects that the function captures must outlive the
/// layer.
///
///     layers::Lambda([](const Tensor& x) { return ops::square(x); })(x)
///
/// Shapes:  inputs of any shape -> the shapes of the results; the first axis is the batch.
/// Errors:  InvalidArgument without a function.
class Lambda : public LayerHandle {
 public:
  explicit Lambda(LambdaOptions options);
  template <typename F>
    requires std::constructible_from<LambdaFunction, F>
  explicit Lambda(F function) : Lambda(LambdaOptions{.function = LambdaFunction(std::move(function))}) {}
};

}  // namespace cornu::inline v0::keras::layers
