#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cornu/io/array.h"

namespace cornu::inline v0::io {

/// The bytes of an array with these extents. Empty if one is negative, or if the product exceeds 63 bits,
/// even with another extent of 0, since such a tensor has no valid strides (NumPy agrees).
std::optional<std::uint64_t> array_size_bytes(std::span<const std::int64_t> dims, ElementType type);

}  // namespace cornu::inline v0::io
