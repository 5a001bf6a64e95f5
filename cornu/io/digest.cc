#include "cornu/io/digest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace cornu::inline v0::io {
namespace {

/// The first 32 bits after the point of the root of each of the first 64 primes; `is_cube`: the cube root.
std::array<std::uint32_t, 64> root_fractions(bool is_cube) {
  std::array<std::uint32_t, 64> fractions = {};
  std::size_t count = 0;
  for (int n = 2; count < fractions.size(); ++n) {
    bool is_prime = true;
    for (int d = 2; d * d <= n; ++d) is_prime = is_prime && n % d != 0;
    if (!is_prime) continue;
    const long double root =
        is_cube ? std::cbrt(static_cast<long double>(n)) : std::sqrt(static_cast<long double>(n));
    fractions[count++] = static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
  }
  return fractions;
}

/// floor(2^32 |sin(i + 1)|)
std::array<std::uint32_t, 64> sines() {
  std::array<std::uint32_t, 64> values = {};
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::uint32_t>(std::fabs(std::sin(static_cast<double>(i + 1))) * 4294967296.0);
  return values;
}

}  // namespace

Digest::Digest(Algorithm algorithm) : is_md5_(algorithm == Algorithm::kMd5), state_() {
  if (is_md5_) {
    state_ = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  } else {
    const std::array<std::uint32_t, 64> roots = root_fractions(false);
    std::copy_n(roots.begin(), state_.size(), state_.begin());
  }
}

void Digest::add(std::span<const std::byte> bytes) {
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t left = bytes.size();
  while (left > 0) {
    const std::size_t used = size_bytes_ % kBlockBytes, count = std::min(left, kBlockBytes - used);
    std::memcpy(pending_.data() + used, from, count);
    size_bytes_ += count;
    from += count;
    left -= count;
    if (used + count == kBlockBytes) add_block(pending_.data());
  }
}

void Digest::add_block(const std::uint8_t* block) {
  if (is_md5_)
    add_md5_block(block);
  else
    add_sha256_block(block);
}

void Digest::add_md5_block(const std::uint8_t* block) {
  static const std::array<std::uint32_t, 64> kSines = sines();
  static constexpr int kTurns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::uint32_t words[16];
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t k = 0; k < 4; ++k)
      words[i] = (k == 0 ? 0 : words[i]) | static_cast<std::uint32_t>(block[4 * i + k]) << (8 * k);
  std::uint32_t a = state_[0], b = state_[1], c = state_[2], d = state_[3];
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t round = i / 16;
    const std::uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                                : round == 1 ? (d & b) | (~d & c)
                                : round == 2 ? b ^ c ^ d
                                             : c ^ (b | ~d);
    constexpr std::uint32_t kStep[] = {1, 5, 3, 7}, kFirst[] = {0, 1, 5, 0};
    const std::uint32_t word = (kStep[round] * i + kFirst[round]) % 16;
    const std::uint32_t next = b + std::rotl(a + mixed + kSines[i] + words[word], kTurns[round][i % 4]);
    a = d;
    d = c;
    c = b;
    b = next;
  }
  state_[0] += a;
  state_[1] += b;
  state_[2] += c;
  state_[3] += d;
}

void Digest::add_sha256_block(const std::uint8_t* block) {
  static const std::array<std::uint32_t, 64> kRoots = root_fractions(true);
  std::uint32_t words[64];
  for (std::size_t i = 0; i < 16; ++i) {
    words[i] = 0;
    for (std::size_t k = 0; k < 4; ++k) words[i] = words[i] << 8 | block[4 * i + k];
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t x = words[i - 15], y = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) +
               (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10);
  }
  std::array<std::uint32_t, 8> s = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t of_e = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
    const std::uint32_t of_a = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
    const std::uint32_t first = s[7] + of_e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRoots[i] + words[i];
    const std::uint32_t second = of_a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
  }
  for (std::size_t i = 0; i < s.size(); ++i) state_[i] += s[i];
}

std::string Digest::hex() {
  const std::uint64_t size_bits = size_bytes_ * 8;
  const std::byte end{0x80}, zero{0};
  add({&end, 1});
  while (size_bytes_ % kBlockBytes != kBlockBytes - 8) add({&zero, 1});
  for (int i = 0; i < 8; ++i) {
    const auto digit = static_cast<std::byte>(size_bits >> (8 * (is_md5_ ? i : 7 - i)));
    add({&digit, 1});
  }
  std::string text;
  const std::size_t num_words = is_md5_ ? 4 : 8;
  for (std::size_t i = 0; i < num_words; ++i)
    for (int k = 0; k < 4; ++k) {
      const auto value = static_cast<std::uint8_t>(state_[i] >> (8 * (is_md5_ ? k : 3 - k)));
      text += "0123456789abcdef"[value >> 4];
      text += "0123456789abcdef"[value & 15];
    }
  return text;
}

}  // namespace cornu::inline v0::io
