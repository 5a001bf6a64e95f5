#include "cornu/base/row_permutation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace cornu::inline v0 {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ull;

// The finalizer of splitmix64: a good hash of a counter.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// The initial counter of the generator of (seed, position).
std::uint64_t first_counter(std::uint64_t seed, std::uint64_t position) {
  return mix(seed + kGolden) ^ mix(position * kGolden + 0x632BE59BD9B4E019ull);
}

/// A pseudo-random number below `extent` (of 32 bits), a function of `value` and `key`.
std::uint64_t drawn_below(std::uint64_t extent, std::uint64_t value, std::uint64_t key) {
  std::uint64_t z = (value ^ key) * kGolden;
  z = (z ^ (z >> 32)) * 0xD6E8FEB86659FD93ull;
  return ((z >> 32) * extent) >> 32;
}

}  // namespace

std::uint64_t permutation_bits(std::uint64_t seed, std::uint64_t position, std::uint64_t i) {
  return mix(first_counter(seed, position) + (i + 1) * kGolden);
}

void shuffle_rows(std::span<std::int64_t> rows, std::uint64_t seed, std::uint64_t position) {
  std::uint64_t counter = first_counter(seed, position);
  for (std::size_t i = rows.size(); i > 1; --i) {
    counter += kGolden;
    // The high half of a product maps 64 random bits to [0, i) with a bias below i / 2^64.
    const auto j = static_cast<std::size_t>((static_cast<unsigned __int128>(mix(counter)) * i) >> 64);
    std::swap(rows[i - 1], rows[j]);
  }
}

void RowPermutation::set(std::int64_t size, std::uint64_t seed, std::uint64_t position) {
  size_ = size;
  if (size <= kListed) {
    list_.resize(static_cast<std::size_t>(size));
    std::iota(list_.begin(), list_.end(), 0);
    shuffle_rows(list_, seed, position);
    return;
  }
  // A nearly square grid: each half is hashed to as many values as the other has.
  const auto rows = static_cast<std::uint64_t>(size);
  width_ = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(size)));
  height_ = (rows + width_ - 1) / width_;
  std::uint64_t counter = first_counter(seed, position);
  for (std::uint64_t& key : keys_) key = mix(counter += kGolden);
}

void RowPermutation::read(std::int64_t first, std::span<std::int64_t> rows) const {
  if (size_ <= kListed) {
    std::copy_n(list_.begin() + first, rows.size(), rows.begin());
  } else {
    compute(first, rows);
  }
}

// Each round adds to one half a function of the other, which is invertible, so distinct positions stay
// distinct.
void RowPermutation::compute(std::int64_t first, std::span<std::int64_t> rows) const {
  const auto size = static_cast<std::uint64_t>(size_);
  const auto add = [](std::uint64_t& half, std::uint64_t addend, std::uint64_t extent) {
    half += addend;
    half -= half >= extent ? extent : 0;
  };
  std::uint64_t place = static_cast<std::uint64_t>(first);
  for (std::int64_t& row : rows) {
    std::uint64_t line = place / width_, column = place % width_;
    do {
      for (std::size_t round = 0; round < kRounds; round += 2) {
        add(line, drawn_below(height_, column, keys_[round]), height_);
        add(column, drawn_below(width_, line, keys_[round + 1]), width_);
      }
    } while (line * width_ + column >= size);
    row = static_cast<std::int64_t>(line * width_ + column);
    ++place;
  }
}

}  // namespace cornu::inline v0
