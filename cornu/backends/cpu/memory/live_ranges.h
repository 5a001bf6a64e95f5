#pragma once

#include <cstddef>
#include <span>

namespace cornu::inline v0::backends::cpu {

/// Alignment of buffers and their pieces: a cache line and the widest vector.
inline constexpr std::size_t kAlignment = 64;

/// A piece of working memory and its live range, the steps `first` to `last`.
struct LiveRange {
  std::size_t size_bytes = 0;
  int first = 0, last = 0;
  std::size_t offset = 0;  // assigned by assign_buffers
};

/// Buffer assignment: gives pieces with overlapping live ranges disjoint offsets, at multiples of kAlignment;
/// returns the total size. First fit by descending size.
std::size_t assign_buffers(std::span<LiveRange> live_ranges);

}  // namespace cornu::inline v0::backends::cpu
