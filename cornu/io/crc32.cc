#include "cornu/io/crc32.h"

#include <immintrin.h>
#include <zlib.h>

#include <array>

namespace cornu::inline v0::io {
namespace {

constexpr std::size_t kFoldLane = 16;              // bytes of a vector
constexpr std::size_t kFoldBlock = 4 * kFoldLane;  // four products hide the latency of four cycles

/// x^power mod P, bit-reversed and shifted left by one, as products of reversed polynomials need it.
constexpr std::uint64_t reversed_power(int power) {
  constexpr std::uint64_t kPolynomial = 0x104C11DB7;
  std::uint64_t remainder = 1;
  for (int i = 0; i < power; ++i) {
    remainder <<= 1;
    if ((remainder >> 32 & 1) != 0) remainder ^= kPolynomial;
  }
  std::uint64_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit)
    if ((remainder >> bit & 1) != 0) reversed |= std::uint64_t{1} << (32 - bit);
  return reversed;
}

/// Moves a vector's halves by `bits` bits, and adds `next`.
template <int bits>
__attribute__((target("pclmul,sse4.1"))) inline __m128i fold(__m128i value, __m128i next) {
  constexpr std::uint64_t kLow = reversed_power(bits + 32), kHigh = reversed_power(bits - 32);
  const __m128i powers = _mm_set_epi64x(static_cast<long long>(kHigh), static_cast<long long>(kLow));
  const __m128i low = _mm_clmulepi64_si128(value, powers, 0x00);
  const __m128i high = _mm_clmulepi64_si128(value, powers, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

__attribute__((target("pclmul,sse4.1"))) inline __m128i load(const std::byte* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

/// Reduces the `size` bytes at `at`, at least one and only whole blocks, to bytes with the same remainder.
__attribute__((target("pclmul,sse4.1"))) std::array<std::byte, kFoldLane> folded(const std::byte* at,
                                                                                 std::size_t size,
                                                                                 std::uint32_t before) {
  __m128i lanes[4];
  for (std::size_t i = 0; i < 4; ++i) lanes[i] = load(at + i * kFoldLane);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(static_cast<int>(before)));
  for (std::size_t done = kFoldBlock; done < size; done += kFoldBlock)
    for (std::size_t i = 0; i < 4; ++i)
      lanes[i] = fold<8 * kFoldBlock>(lanes[i], load(at + done + i * kFoldLane));
  __m128i all = lanes[0];
  for (std::size_t i = 1; i < 4; ++i) all = fold<8 * kFoldLane>(all, lanes[i]);
  std::array<std::byte, kFoldLane> bytes = {};
  _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes.data()), all);
  return bytes;
}

std::uint32_t by_zlib(std::span<const std::byte> bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  static const bool has_carry_less_product =
      __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
  if (bytes.empty()) return before;
  if (!has_carry_less_product || bytes.size() < 2 * kFoldBlock) return by_zlib(bytes, before);
  const std::size_t whole = bytes.size() / kFoldBlock * kFoldBlock;
  const std::array<std::byte, kFoldLane> same = folded(bytes.data(), whole, ~before);
  // zlib begins with all ones, which `same` already includes.
  const std::uint32_t crc = by_zlib(same, ~std::uint32_t{0});
  return whole == bytes.size() ? crc : by_zlib(bytes.subspan(whole), crc);
}

}  // namespace cornu::inline v0::io
