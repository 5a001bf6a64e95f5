#pragma once

#include <limits>
#include <type_traits>

namespace cornu::inline v0 {

/// Converts `value` to T. For integers: its whole part, limited to the range of T; 0 for NaN.
template <typename T>
T saturated(double value) {
  if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>) {
    return static_cast<T>(value);
  } else {
    using Limits = std::numeric_limits<T>;
    // The limit is rounded to 2^63 or 2^64 if a double cannot represent it, so values must be strictly below.
    if (value >= static_cast<double>(Limits::max())) return Limits::max();
    if (value <= static_cast<double>(Limits::min())) return Limits::min();
    return value == value ? static_cast<T>(value) : T{0};
  }
}

}  // namespace cornu::inline v0
