#pragma once

#include <cstddef>
#include <span>

namespace cornu::inline v0::backends::cpu {

/// Buffers, and the pieces of one, begin at multiples of this: a cache line and the widest vector.
inline constexpr std::size_t kAlignment = 64;

/// A piece of working memory and the steps, `first` to `last`, during which it holds something.
struct Life {
  std::size_t size_bytes = 0;
  int first = 0, last = 0;
  std::size_t offset = 0;  // found by place_lives
};

/// Gives pieces whose lives overlap different places, at multiples of kAlignment; returns the memory that all
/// of them take. First fit by falling size: large pieces choose first.
std::size_t place_lives(std::span<Life> lives);

}  // namespace cornu::inline v0::backends::cpu
