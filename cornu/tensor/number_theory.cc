#include <tuple>

#include "cornu/base/check.h"
#include "cornu/tensor/control_flow.h"
#include "cornu/tensor/ops/arrays.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
namespace {

/// Both operands in their common dtype and shape, without their signs.
std::pair<Tensor, Tensor> integers(const char* op, const Tensor& x1, const Tensor& x2) {
  for (const Tensor* x : {&x1, &x2})
    if (!ir::is_integer(x->dtype()) && x->dtype() != DType::kI1)
      invalid_argument("[{}] needs integers; got {}", op, ir::numpy_name(x->dtype()));
  const DType dtype = promote(internal::as_number(x1), internal::as_number(x2));
  const Dims dims = internal::broadcast_shapes(x1.shape(), x2.shape(), op);
  const auto made = [&](const Tensor& x) { return broadcast_to(abs(cast(x, dtype)), dims); };
  return {made(x1), made(x2)};
}

}  // namespace

// Euclid's algorithm for all elements at once.
Tensor gcd(const Tensor& x1, const Tensor& x2) {
  const auto [a, b] = integers("gcd", x1, x2);
  const auto [result, zero] = while_loop(
      [](const Tensor&, const Tensor& rest) { return any(not_equal(rest, 0)); },
      [](const Tensor& now, const Tensor& rest) {
        const Tensor is_done = equal(rest, 0);
        return std::tuple(where(is_done, now, rest), where(is_done, rest, mod(now, where(is_done, 1, rest))));
      },
      std::tuple(a, b));
  return result;
}

Tensor lcm(const Tensor& x1, const Tensor& x2) {
  const auto [a, b] = integers("lcm", x1, x2);
  const Tensor divisor = gcd(a, b);
  return floor_divide(a, maximum(divisor, 1)) * b;
}

}  // namespace cornu::inline v0::ops
