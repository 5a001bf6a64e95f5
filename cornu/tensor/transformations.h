#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/base/function_ref.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/structure.h"
#include "cornu/tensor/value/tensor.h"

/// Functions that call a function of structures of tensors: keras.ops.associative_scan, vectorized_map, jvp.
namespace cornu::inline v0 {

struct AssociativeScanOptions {  // options/tensor.toml
  /// True: combines from the last element to the first; results keep their positions.
  bool reverse = false;
  /// Axis of the elements; negative: from the end.
  std::int64_t axis = 0;
};

namespace detail {

/// Returns the combination of two structures, elementwise along the axis of the elements.
using CombineFn = FunctionRef<std::vector<Tensor>(std::span<const Tensor> a, std::span<const Tensor> b)>;
std::vector<Tensor> associative_scan(CombineFn f, std::vector<Tensor> elements,
                                     const AssociativeScanOptions& options);
/// The derivatives of `results` at `primals` in the direction of `tangents`.
using ResultsFn = FunctionRef<std::vector<Tensor>(std::span<const Tensor>)>;
std::vector<Tensor> jvp(ResultsFn f, const std::vector<Tensor>& primals, const std::vector<Tensor>& tangents,
                        std::vector<Tensor>& results);

}  // namespace detail

/// The combinations of the first 1, 2, ..., n elements along an axis by an associative function: for
/// elements x, f(x[0], x[1]), f(f(x[0], x[1]), x[2]) and so on, in 2 log2(n) steps.
///
///     Tensor sums = associative_scan([](const Tensor& a, const Tensor& b) { return a + b; }, x);
///
/// Semantics: `f` takes two structures like `elems` whose tensors are slices of several elements along the
///            axis, and combines element by element. It is called log2(n) times with slices of different lengths.
/// Shapes:    a structure of tensors that have the same extent n along the axis -> the same.
/// Errors:    InvalidArgument without tensors, if extents along the axis differ, and if f returns other types.
/// Gradient:  that of f and of slices.
/// Source:    keras.ops.associative_scan.
template <typename F, typename Elems>
Elems associative_scan(F f, Elems elems, const AssociativeScanOptions& options = {}) {
  check_callable("associative_scan", "f", f);
  const auto combine = [&](std::span<const Tensor> a, std::span<const Tensor> b) {
    const Elems combined = f(detail::with_tensors(elems, a), detail::with_tensors(elems, b));
    return detail::tensors_of(combined);
  };
  const std::vector<Tensor> results =
      detail::associative_scan(combine, detail::tensors_of(std::as_const(elems)), options);
  return detail::with_tensors(std::move(elems), results);
}

/// Calls f with each row of the elements, and stacks the results: keras.ops.vectorized_map. The rows are the
/// iterations of one loop of the program, as with map(); where f's operations take a further axis, calling f
/// with all rows is faster.
template <typename F, typename Elements>
auto vectorized_map(F f, const Elements& elements) {
  check_callable("vectorized_map", "f", f);
  return map(std::move(f), elements);
}

/// A function's results and their derivatives in a direction.
template <typename Results>
struct Jvp {
  Results primals_out;
  Results tangents_out;
};

/// The product of f's Jacobian at `primals` with `tangents`: keras.ops.jvp.
///
///     auto [y, slope] = jvp([](const Tensor& x) { return ops::sin(x); }, x, direction);
///
/// Semantics: primals_out = f(primals); tangents_out has its structure. `primals` is a tensor, or a tuple whose
///            elements are passed one by one, or another structure; `tangents` has its structure and types.
///            The product is the gradient of the gradient: f's operations need second derivatives.
/// Errors:    InvalidArgument if primals and tangents differ in number, shape or dtype, and for tensors that
///            are not floating-point; those of GradientTape.
/// Source:    keras.ops.jvp.
template <typename F, typename Primals>
auto jvp(F f, const Primals& primals, const Primals& tangents) {
  check_callable("jvp", "f", f);
  using Results = std::remove_cvref_t<decltype(detail::apply_variables(f, std::declval<Primals&>()))>;
  std::optional<Results> structure;
  const auto call = [&](std::span<const Tensor> now) {
    Primals current = detail::with_tensors(primals, now);
    Results results = detail::apply_variables(f, current);
    std::vector<Tensor> tensors = detail::tensors_of(std::as_const(results));
    structure = std::move(results);
    return tensors;
  };
  std::vector<Tensor> results;
  const std::vector<Tensor> products =
      detail::jvp(call, detail::tensors_of(primals), detail::tensors_of(tangents), results);
  return Jvp<Results>{detail::with_tensors(*structure, results), detail::with_tensors(*structure, products)};
}

}  // namespace cornu::inline v0
