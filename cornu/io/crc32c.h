#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cornu::inline v0::io {

/// The CRC-32C (Castagnoli) of some bytes, by the processor's instruction if it has one. `before`: the CRC of
/// the preceding bytes.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// The masked CRC of record files: rotated and shifted, so that the CRC of data that contain CRCs is not
/// weak.
inline std::uint32_t masked_crc32c(std::span<const std::byte> bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

namespace detail {
/// The CRC-32C by tables, byte by byte: the oracle for the instruction.
std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t before = 0);
}  // namespace detail

}  // namespace cornu::inline v0::io
