#include "cornu/base/mersenne_twister.h"

namespace cornu::inline v0 {
namespace {

constexpr std::size_t kShift = 397;

/// The next word of the state at a place, from the words at the place, after it, and kShift places on.
std::uint32_t twisted(std::uint32_t word, std::uint32_t following, std::uint32_t shifted) {
  const std::uint32_t joined = (word & 0x80000000U) | (following & 0x7fffffffU);
  return shifted ^ (joined >> 1) ^ ((0U - (joined & 1U)) & 0x9908b0dfU);
}

std::uint32_t tempered(std::uint32_t word) {
  word ^= word >> 11;
  word ^= (word << 7) & 0x9d2c5680U;
  word ^= (word << 15) & 0xefc60000U;
  return word ^ (word >> 18);
}

}  // namespace

MersenneTwister::MersenneTwister(std::uint32_t seed) {
  state_[0] = seed;
  for (std::size_t i = 1; i < kSize; ++i)
    state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
}

void MersenneTwister::refill() {
  constexpr std::size_t kWrap = kSize - kShift;
  for (std::size_t i = 0; i < kWrap; ++i) state_[i] = twisted(state_[i], state_[i + 1], state_[i + kShift]);
  for (std::size_t i = kWrap; i + 1 < kSize; ++i)
    state_[i] = twisted(state_[i], state_[i + 1], state_[i - kWrap]);
  state_[kSize - 1] = twisted(state_[kSize - 1], state_[0], state_[kShift - 1]);
  for (std::size_t i = 0; i < kSize; ++i) numbers_[i] = tempered(state_[i]);
  next_ = 0;
}

}  // namespace cornu::inline v0
