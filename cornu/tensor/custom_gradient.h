#pragma once

#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/tensor/structure.h"
#include "cornu/tensor/trace/backward.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

namespace detail {

/// The results as tensors with the gradient function `backward` with respect to `inputs`, for tapes and
/// traces.
std::vector<Tensor> with_gradient(std::span<const Tensor> inputs, std::span<const Tensor> results,
                                  const BackwardFn& backward);

}  // namespace detail

/// Gives a function a custom gradient, which replaces the gradients of the operations in it.
///
///     const auto log1pexp = custom_gradient([](const Tensor& x) {
///       const Tensor e = ops::exp(x);
///       return std::pair(ops::log(1.0F + e),
///                        [=](const Tensor& dy) { return dy * (1.0F - 1.0F / (1.0F + e)); });
///     });
///     const Tensor y = log1pexp(x);
///
/// f takes tensors and returns std::pair(result, gradient function). The result is a tensor, or a tuple,
/// vector or struct of them. The gradient function gets the result's gradient in the same structure, with
/// zeros for missing gradients. It returns one tensor for each argument of f: a tensor for one, a tuple or
/// vector for several (undefined: no gradient). Gradients flow to the arguments only, not to variables that f
/// reads. Second derivatives go through the gradient function.
/// Errors: InvalidArgument if the gradient function returns the wrong number of gradients, or one that
///         differs in type from its argument.
template <typename F>
auto custom_gradient(F f) {
  check_callable("custom_gradient", "f", f);
  return [f = std::move(f)](const auto&... arguments) {
    const std::vector<Tensor> inputs = {Tensor(arguments)...};
    const auto call = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      return f(inputs[kIndex]...);
    };
    auto made = call(std::index_sequence_for<decltype(arguments)...>());
    check_callable("custom_gradient", "the gradient function", made.second);
    using Result = std::remove_cvref_t<decltype(made.first)>;
    const std::vector<Tensor> results = detail::tensors_of(std::as_const(made.first));
    const detail::BackwardFn backward = [made](std::span<const Tensor> result_gradients) {
      return detail::tensors_of_all(made.second(detail::with_tensors(made.first, result_gradients)));
    };
    return detail::with_tensors(Result(made.first), detail::with_gradient(inputs, results, backward));
  };
}

}  // namespace cornu::inline v0
