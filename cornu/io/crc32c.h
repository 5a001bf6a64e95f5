#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cornu::inline v0::io {

/// The CRC-32C (Castagnoli) of some bytes, by the processor's instruction where it has one. `before`: of the
/// bytes that stand before them.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// As record files keep it: rotated and shifted, so that the CRC of data that hold CRCs is not weak.
inline std::uint32_t masked_crc32c(std::span<const std::byte> bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

namespace detail {
/// The same by tables, byte by byte: what the instruction is compared with.
std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t before = 0);
}  // namespace detail

}  // namespace cornu::inline v0::io
