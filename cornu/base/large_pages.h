#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace cornu::inline v0 {

inline constexpr std::size_t kLargePageBytes = std::size_t{2} << 20;

/// Requests large pages for untouched memory, to save page faults and TLB entries: only an optimization.
/// Incomplete large pages at both ends stay small pages.
inline void prefer_large_pages(void* memory, std::size_t size_bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
  const std::uintptr_t last = (begin + size_bytes) / kLargePageBytes * kLargePageBytes;
  if (first < last) madvise(static_cast<std::byte*>(memory) + (first - begin), last - first, MADV_HUGEPAGE);
}

}  // namespace cornu::inline v0
