#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cornu::inline v0::io {

/// The CRC-32 of zip archives, gzip and PNG, by the processor's carry-less product if it has one: unlike
/// zlib's, as fast as memory. `before`: the CRC of the preceding bytes.
/// Source: Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel
///         2009.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace cornu::inline v0::io
