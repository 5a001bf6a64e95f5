#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/base/function_ref.h"
#include "cornu/tensor/structure.h"
#include "cornu/tensor/value/tensor.h"

/// Loops and branches whose control depends on tensors.
///
/// Inside a trace each becomes one op of the program, whatever the number of iterations; bounds and
/// predicates may be tensors whose values are only known at run time. Outside a trace they run at once, like
/// C++. Bodies may read and assign variables: a loop carries the variables that its body assigns, so a whole
/// training step may be a loop body. Random numbers advance with each iteration. A tensor made in a body can
/// be used outside only if the body returns it.
/// A C++ number that a body or a branch returns takes the dtype of the corresponding tensor (the loop
/// variable, or the other branch's result) if that dtype can represent its kind: floats take float dtypes
/// only, integers any numeric dtype. Numbers are never truncated. If all traced branches return numbers, the
/// result has their promoted dtype. A branch that runs eagerly is not compared with the others.
/// Errors: InvalidArgument, with the variable's name, if a loop variable changes shape or dtype in the body;
///         if branches return different types; if a number's kind does not fit the corresponding tensor's
///         dtype; if a condition is not a scalar or assigns a variable. An exception in a body leaves the
///         trace as it was before the loop.
namespace cornu::inline v0 {

struct WhileLoopOptions {  // options/tensor.toml
  /// Upper bound of the number of iterations, an integer scalar, after which the loop ends even if the
  /// condition holds; undefined: none.
  Tensor maximum_iterations = {};
  /// Names of the loop variables in errors; variables without a name are numbered.
  std::vector<std::string> names = {};
};
struct ForLoopOptions {  // options/tensor.toml
  /// Names of the loop variables in errors; variables without a name are numbered.
  std::vector<std::string> names = {};
};
struct ScanOptions {  // options/tensor.toml
  /// True: iterates from the last row to the first; results keep their positions.
  bool reverse = false;
  /// Number of iterations if there are no xs; -1: the first extent of xs.
  std::int64_t length = -1;
};

namespace detail {

using ConditionFn = FunctionRef<Tensor(std::span<const Tensor>)>;
using BodyFn = FunctionRef<std::vector<Tensor>(std::span<const Tensor>)>;
/// Returns the results of a branch.
using BranchFn = FunctionRef<std::vector<Tensor>()>;
struct ScanResult {
  std::vector<Tensor> carry;
  std::vector<Tensor> stacked;
};
/// Takes carry and one row of each x; returns the next carry and the values to stack.
using ScanFn = FunctionRef<ScanResult(std::span<const Tensor> carry, std::span<const Tensor> row)>;

std::vector<Tensor> while_loop(ConditionFn condition, BodyFn body, std::vector<Tensor> initial,
                               const WhileLoopOptions& options);
std::vector<Tensor> fori_loop(const Tensor& lower, const Tensor& upper,
                              FunctionRef<std::vector<Tensor>(const Tensor&, std::span<const Tensor>)> body,
                              std::vector<Tensor> initial, const ForLoopOptions& options);
std::vector<Tensor> cond(const Tensor& predicate, BranchFn on_true, BranchFn on_false);
/// `run(i)` returns the results of branch `i` of `num_branches`.
std::vector<Tensor> switch_case(const Tensor& index, std::size_t num_branches,
                                FunctionRef<std::vector<Tensor>(std::size_t)> run);
ScanResult scan(ScanFn f, std::vector<Tensor> initial, const std::vector<Tensor>& xs,
                const ScanOptions& options);

/// Calls f(elements...) for a tuple of loop variables, else f(variables).
template <typename F, typename Variables>
decltype(auto) apply_variables(F& f, Variables& variables) {
  if constexpr (is_instance_of<Variables, std::tuple>) {
    return std::apply(f, variables);
  } else {
    return f(variables);
  }
}

/// Runs `branch` and returns its tensors; the first call also stores the result's structure in `out`.
template <typename Result, typename Branch>
std::vector<Tensor> run_branch(Branch& branch, std::optional<Result>& out) {
  Result result = call_or_nothing(branch);
  std::vector<Tensor> tensors = tensors_of(result);
  if (!out) out = std::move(result);
  return tensors;
}

}  // namespace detail

/// Repeats `body` on the loop variables as long as `condition` holds.
///
/// `variables` is a tensor, or a tuple, vector or struct of tensors; a tuple's elements are passed one by
/// one:
///     auto [i, power] = while_loop([&](Tensor i, Tensor) { return ops::less(i, n); },
///                                  [&](Tensor i, Tensor power) { return std::tuple(i + 1, power * x); },
///                                  std::tuple(Tensor(0), one));
/// Gradient: if the number of iterations is bounded or known; see the loop op.
template <typename Condition, typename Body, typename Variables>
Variables while_loop(Condition condition, Body body, Variables variables,
                     const WhileLoopOptions& options = {}) {
  check_callable("while_loop", "condition", condition);
  check_callable("while_loop", "body", body);
  const auto inner_condition = [&](std::span<const Tensor> now) -> Tensor {
    Variables current = detail::with_tensors(variables, now);
    return Tensor(detail::apply_variables(condition, current));
  };
  const auto inner_body = [&](std::span<const Tensor> now) {
    Variables current = detail::with_tensors(variables, now);
    const Variables next = detail::apply_variables(body, current);
    return detail::tensors_of(next);
  };
  const std::vector<Tensor> results =
      detail::while_loop(inner_condition, inner_body, detail::tensors_of(variables), options);
  return detail::with_tensors(std::move(variables), results);
}

/// Calls body(i, variables) for i in [lower, upper), which may be tensors; i is an i32 scalar, or i64 if a
/// bound is.
template <typename Body, typename Variables>
Variables fori_loop(const Tensor& lower, const Tensor& upper, Body body, Variables variables,
                    const ForLoopOptions& options = {}) {
  check_callable("fori_loop", "body", body);
  const auto inner_body = [&](const Tensor& i, std::span<const Tensor> now) {
    const Variables current = detail::with_tensors(variables, now);
    const Variables next = body(i, current);
    return detail::tensors_of(next);
  };
  const std::vector<Tensor> results =
      detail::fori_loop(lower, upper, inner_body, detail::tensors_of(variables), options);
  return detail::with_tensors(std::move(variables), results);
}
/// Calls body(i) for i in [lower, upper); the body has no loop variables and works on `Variable`s.
template <typename Body>
void fori_loop(const Tensor& lower, const Tensor& upper, Body body) {
  check_callable("fori_loop", "body", body);
  const auto inner_body = [&](const Tensor& i, std::span<const Tensor>) {
    body(i);
    return std::vector<Tensor>();
  };
  detail::fori_loop(lower, upper, inner_body, {}, {});
}

/// Returns predicate ? on_true() : on_false(). Both return the same structure of tensors of the same types,
/// or nothing. The predicate is a scalar; a number, as in Keras, is true if it is not 0.
template <typename OnTrue, typename OnFalse>
auto cond(const Tensor& predicate, OnTrue on_true, OnFalse on_false) {
  check_callable("cond", "on_true", on_true);
  check_callable("cond", "on_false", on_false);
  using Result = decltype(detail::call_or_nothing(on_true));
  static_assert(std::is_same_v<Result, decltype(detail::call_or_nothing(on_false))>,
                "both branches of cond must return the same type");
  std::optional<Result> result;
  const std::vector<Tensor> tensors = detail::cond(
      predicate, [&] { return detail::run_branch(on_true, result); },
      [&] { return detail::run_branch(on_false, result); });
  if constexpr (!std::is_same_v<Result, detail::Nothing>)
    return detail::with_tensors(std::move(*result), tensors);
}

/// Returns branches[index](). An index out of range selects the last branch, as in TensorFlow.
template <typename Branch>
auto switch_case(const Tensor& index, const std::vector<Branch>& branches) {
  for (const Branch& branch : branches) check_callable("switch_case", "each branch", branch);
  using Result = decltype(detail::call_or_nothing(branches[0]));
  std::optional<Result> result;
  const std::vector<Tensor> tensors = detail::switch_case(
      index, branches.size(), [&](std::size_t i) { return detail::run_branch(branches[i], result); });
  if constexpr (!std::is_same_v<Result, detail::Nothing>)
    return detail::with_tensors(std::move(*result), tensors);
}

/// Iterates over the first axis of xs: std::pair(carry, y) = f(carry, x) for each row x; the ys are stacked
/// along a new first axis.
///
/// Returns std::pair(last carry, ys). All ys have one type; carry keeps its types.
/// Errors: those of loops above; InvalidArgument if the xs have different first extents.
template <typename F, typename Carry, typename Xs>
auto scan(F f, Carry initial, const Xs& xs, const ScanOptions& options = {}) {
  check_callable("scan", "f", f);
  using Result = std::invoke_result_t<F&, Carry&, const Xs&>;
  static_assert(detail::is_instance_of<Result, std::pair>, "scan's function must return std::pair(carry, y)");
  using Y = typename Result::second_type;
  std::optional<Y> y;
  const auto inner = [&](std::span<const Tensor> carry, std::span<const Tensor> row) {
    Carry now = detail::with_tensors(initial, carry);
    Result next = f(now, detail::with_tensors(xs, row));
    detail::ScanResult result{detail::tensors_of(static_cast<const Carry&>(next.first)),
                              detail::tensors_of(next.second)};
    if (!y) y = std::move(next.second);
    return result;
  };
  const detail::ScanResult result =
      detail::scan(inner, detail::tensors_of(initial), detail::tensors_of(xs), options);
  return std::pair<Carry, Y>(detail::with_tensors(std::move(initial), result.carry),
                             detail::with_tensors(std::move(y).value_or(Y{}), result.stacked));
}

/// Calls f with each row of xs and stacks the results.
template <typename F, typename Xs>
auto map(F f, const Xs& xs) {
  check_callable("map", "f", f);
  return scan([&](detail::Nothing carry, const Xs& x) { return std::pair(carry, f(x)); }, detail::Nothing{},
              xs)
      .second;
}

}  // namespace cornu::inline v0
