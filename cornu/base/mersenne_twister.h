#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cornu::inline v0 {

/// The numbers of std::mt19937, several times as fast: 624 are made at once, without branches. For data of
/// millions of numbers.
class MersenneTwister {
 public:
  explicit MersenneTwister(std::uint32_t seed);
  std::uint32_t operator()() {
    if (next_ == kSize) refill();
    return numbers_[next_++];
  }

 private:
  static constexpr std::size_t kSize = 624;
  void refill();

  std::array<std::uint32_t, kSize> state_, numbers_{};
  std::size_t next_ = kSize;
};

}  // namespace cornu::inline v0
