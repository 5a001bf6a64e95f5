#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cornu/io/array.h"

namespace cornu::inline v0::io {

/// The bytes of an array of these extents. None when one is negative, or when they are beyond 63 bits: also
/// where another extent is 0, since no tensor has such strides (NumPy counts so too).
std::optional<std::uint64_t> array_size_bytes(std::span<const std::int64_t> dims, ElementType type);

}  // namespace cornu::inline v0::io
