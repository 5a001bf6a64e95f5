#pragma once

#include <random>
#include <string>
#include <string_view>

namespace cornu::inline v0::backends::remote {

/// 32 bytes of the kernel's random numbers: an unguessable name or secret.
inline std::string random_secret() {
  std::random_device random;
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    const unsigned word = random();
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  return bytes;
}

/// Compares in constant time.
inline bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace cornu::inline v0::backends::remote
