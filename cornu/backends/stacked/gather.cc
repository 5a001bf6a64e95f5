#include "cornu/backends/stacked/gather.h"

#include <cstring>

namespace cornu::inline v0::backends::stacked {

void gather_rows(const std::byte* base, std::size_t row_bytes, std::span<const std::int64_t> indices,
                 std::byte* to) {
  if (row_bytes == 0) return;
  for (std::size_t first = 0; first < indices.size();) {
    std::size_t end = first + 1;
    while (end < indices.size() && indices[end] == indices[end - 1] + 1) ++end;
    const std::size_t size_bytes = (end - first) * row_bytes;
    std::memcpy(to, base + static_cast<std::size_t>(indices[first]) * row_bytes, size_bytes);
    to += size_bytes;
    first = end;
  }
}

}  // namespace cornu::inline v0::backends::stacked
