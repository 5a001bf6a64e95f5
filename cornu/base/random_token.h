#pragma once

#include <cstdint>
#include <random>

namespace cornu::inline v0 {

/// 64 random bits from the operating system.
inline std::uint64_t random_token() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace cornu::inline v0
