#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cornu::inline v0::io {

/// The CRC-32 of some bytes, as zip archives, gzip and PNG have it, by the processor's carry-less product
/// where it has one: as fast as the bytes come from memory, which zlib's is not. `before`: of the bytes that
/// stand before them.
/// Source: Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel
///         2009.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace cornu::inline v0::io
