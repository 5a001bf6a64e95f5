#pragma once

#include <limits>
#include <type_traits>

namespace cornu::inline v0 {

/// `value` as a T. For integers: its whole part, or the nearest number that T has; 0 for NaN.
template <typename T>
T saturated(double value) {
  if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>) {
    return static_cast<T>(value);
  } else {
    using Limits = std::numeric_limits<T>;
    // The limit above is rounded to 2^63 or 2^64 where a double cannot hold it: what is not below that does
    // not fit.
    if (value >= static_cast<double>(Limits::max())) return Limits::max();
    if (value <= static_cast<double>(Limits::min())) return Limits::min();
    return value == value ? static_cast<T>(value) : T{0};
  }
}

}  // namespace cornu::inline v0
