#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cornu::inline v0 {

/// A permutation of 0 .. size - 1 that follows from (seed, position) alone, read from any place on.
///
/// Up to kListed rows it is a list, shuffled by Fisher and Yates: that is cheapest while it lies in a near
/// cache, and no permutation is likelier than another. A longer one is computed place by place, so that its
/// memory does not grow with the rows: a Feistel network on a grid that has a place or more for each row,
/// walked on until it comes to a row.
class RowPermutation {
 public:
  static constexpr std::int64_t kListed = std::int64_t{1} << 16;

  void set(std::int64_t size, std::uint64_t seed, std::uint64_t position);
  /// rows[i] is the row at place `first` + i.
  void read(std::int64_t first, std::span<std::int64_t> rows) const;

 private:
  static constexpr std::size_t kRounds = 6;

  void compute(std::int64_t first, std::span<std::int64_t> rows) const;

  std::int64_t size_ = 0;
  std::vector<std::int64_t> list_;
  // The grid's lines and columns, and what each round is keyed by.
  std::uint64_t height_ = 0, width_ = 0;
  std::array<std::uint64_t, kRounds> keys_ = {};
};

/// Shuffles in place by Fisher and Yates with a counter-based generator keyed by (seed, position).
void shuffle_rows(std::span<std::int64_t> rows, std::uint64_t seed, std::uint64_t position);

/// 64 random bits of a generator keyed by (seed, position), for counter `i`.
std::uint64_t permutation_bits(std::uint64_t seed, std::uint64_t position, std::uint64_t i);

}  // namespace cornu::inline v0
