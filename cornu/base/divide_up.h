#pragma once

#include <cstdint>

namespace cornu::inline v0 {

/// The quotient x / y, rounded up; x is not negative, y is positive.
constexpr std::int64_t divide_up(std::int64_t x, std::int64_t y) { return x / y + (x % y != 0 ? 1 : 0); }

}  // namespace cornu::inline v0
