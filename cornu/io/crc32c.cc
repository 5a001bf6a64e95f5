#include "cornu/io/crc32c.h"

#include <nmmintrin.h>

#include <array>
#include <cstring>

namespace cornu::inline v0::io {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78u;  // reflected

constexpr std::uint32_t byte_remainder(std::uint32_t value) {
  for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
  return value;
}

constexpr std::array<std::uint32_t, 256> byte_table() {
  std::array<std::uint32_t, 256> table = {};
  for (std::uint32_t i = 0; i < 256; ++i) table[i] = byte_remainder(i);
  return table;
}

constexpr std::array<std::uint32_t, 256> kByteTable = byte_table();

/// The CRC after kBlock further zero bytes, as a function of the CRC's four bytes: CRCs are linear.
constexpr std::size_t kBlock = 512;
using ShiftTable = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr std::uint32_t shifted_by_table(const ShiftTable& table, std::uint32_t crc) {
  return table[0][crc & 0xFF] ^ table[1][(crc >> 8) & 0xFF] ^ table[2][(crc >> 16) & 0xFF] ^
         table[3][crc >> 24];
}

ShiftTable make_shift_table() {
  std::array<std::uint32_t, 32> of_bit = {};
  for (std::size_t bit = 0; bit < 32; ++bit) {
    std::uint32_t crc = std::uint32_t{1} << bit;
    for (std::size_t i = 0; i < kBlock; ++i) crc = kByteTable[crc & 0xFF] ^ (crc >> 8);
    of_bit[bit] = crc;
  }
  ShiftTable table = {};
  for (std::size_t byte = 0; byte < 4; ++byte)
    for (std::size_t value = 0; value < 256; ++value)
      for (std::size_t bit = 0; bit < 8; ++bit)
        if ((value >> bit & 1) != 0) table[byte][value] ^= of_bit[byte * 8 + bit];
  return table;
}

__attribute__((target("sse4.2"))) inline std::uint64_t step(std::uint64_t crc, const std::byte* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return _mm_crc32_u64(crc, word);
}

// The instruction takes one word a cycle with a latency of three cycles, so three blocks are computed in
// parallel.
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(const std::byte* at, std::size_t size,
                                                               std::uint32_t before) {
  static const ShiftTable shift = make_shift_table();
  std::uint64_t crc = before;
  for (; size >= 3 * kBlock; at += 3 * kBlock, size -= 3 * kBlock) {
    std::uint64_t second = 0, third = 0;
    for (std::size_t i = 0; i < kBlock; i += 8) {
      crc = step(crc, at + i);
      second = step(second, at + kBlock + i);
      third = step(third, at + 2 * kBlock + i);
    }
    crc = shifted_by_table(shift, static_cast<std::uint32_t>(crc)) ^ second;
    crc = shifted_by_table(shift, static_cast<std::uint32_t>(crc)) ^ third;
  }
  for (; size >= 8; at += 8, size -= 8) crc = step(crc, at);
  auto rest = static_cast<std::uint32_t>(crc);
  for (; size > 0; ++at, --size) rest = _mm_crc32_u8(rest, static_cast<std::uint8_t>(*at));
  return rest;
}

}  // namespace

namespace detail {

std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  for (const std::byte byte : bytes)
    crc = kByteTable[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

}  // namespace detail

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return ~by_instruction(bytes.data(), bytes.size(), ~before);
  return detail::crc32c_by_table(bytes, before);
}

}  // namespace cornu::inline v0::io
