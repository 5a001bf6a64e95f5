#pragma once

#include <cmath>
#include <type_traits>

/// Minimum and maximum of two elements as StableHLO and IEEE 754-2019 specify them, for reference kernels: NaN
/// if an operand is NaN; -0 is less than 0.
namespace cornu::inline v0::ops {

template <typename T>
T smaller_of(T x, T y) {
  if (x != x || x < y) return x;
  if constexpr (std::is_floating_point_v<T>)
    if (x == y) return std::signbit(x) ? x : y;
  return y;
}

template <typename T>
T larger_of(T x, T y) {
  if (x != x || y < x) return x;
  if constexpr (std::is_floating_point_v<T>)
    if (x == y) return std::signbit(x) ? y : x;
  return y;
}

}  // namespace cornu::inline v0::ops
