#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cornu::inline v0 {

/// A permutation of 0 .. size - 1 that depends on (seed, position) alone, readable from any index.
///
/// Up to kListed rows it is a list, shuffled by Fisher and Yates: the fastest method while the list fits in a
/// near cache, and all permutations are equally likely. A longer one is computed index by index, so that its
/// memory does not grow with the rows: a Feistel network on a grid of at least as many cells as rows, applied
/// repeatedly until the result is a row (cycle walking).
class RowPermutation {
 public:
  static constexpr std::int64_t kListed = std::int64_t{1} << 16;

  void set(std::int64_t size, std::uint64_t seed, std::uint64_t position);
  /// Writes the row at index `first` + i to rows[i].
  void read(std::int64_t first, std::span<std::int64_t> rows) const;

 private:
  static constexpr std::size_t kRounds = 6;

  void compute(std::int64_t first, std::span<std::int64_t> rows) const;

  std::int64_t size_ = 0;
  std::vector<std::int64_t> list_;
  // The grid's extents, and the keys of the rounds.
  std::uint64_t height_ = 0, width_ = 0;
  std::array<std::uint64_t, kRounds> keys_ = {};
};

/// Shuffles in place by Fisher and Yates with a counter-based generator keyed by (seed, position).
void shuffle_rows(std::span<std::int64_t> rows, std::uint64_t seed, std::uint64_t position);

/// 64 random bits of a generator keyed by (seed, position), for counter `i`.
std::uint64_t permutation_bits(std::uint64_t seed, std::uint64_t position, std::uint64_t i);

}  // namespace cornu::inline v0
