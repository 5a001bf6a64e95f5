#pragma once

#include <string_view>

namespace cornu::inline v0::backends::remote {

/// Compares in a time that does not tell where the first difference is.
inline bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace cornu::inline v0::backends::remote
