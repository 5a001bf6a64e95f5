#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cornu/base/callable.h"
#include "cornu/tensor/structure.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

namespace detail {

/// The beginning of a part of this thread's trace.
/// Threads: one thread.
class RematRegion {
 public:
  RematRegion();
  /// The same tensors, whose gradients compute what was traced since the beginning again. Those that are not
  /// of the trace are returned as they are.
  std::vector<Tensor> close(std::span<const Tensor> results) const;

 private:
  std::uint64_t trace_id_ = 0;  // without a trace: 0
  const void* block_ = nullptr;
  std::size_t begin_ = 0;
};

}  // namespace detail

/// Makes a function whose intermediate values are not stored for the gradient, but computed again during the
/// backward pass: less memory, more time.
///
///     const auto block = remat([&](const Tensor& x) { return second(ops::gelu(first(x))); });
///     const Tensor y = block(x);
///
/// Semantics: the results of f to the bit, and its gradients up to the order in which parts of one gradient
///            are added; random numbers are the same in both passes. f runs once, so what it assigns is
///            assigned once. Arguments, results and variables that f reads are kept. It applies inside of
///            compiled programs (`fit`, `function`); outside of them, where a tape keeps what it records, f
///            runs as it is.
/// Source:    keras.remat.
template <typename F>
auto remat(F f) {
  check_callable("remat", "f", f);
  return [f = std::move(f)](auto&&... arguments) {
    const detail::RematRegion region;
    auto result = f(std::forward<decltype(arguments)>(arguments)...);
    const std::vector<Tensor> results = region.close(detail::tensors_of(std::as_const(result)));
    return detail::with_tensors(std::move(result), results);
  };
}

}  // namespace cornu::inline v0
