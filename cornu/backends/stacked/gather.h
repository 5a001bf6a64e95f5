#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cornu::inline v0::backends::stacked {

/// Gathers rows of row-major data: row indices[i] begins at base + indices[i] * row_bytes and is copied to to
/// + i * row_bytes. Consecutive rows are copied as one piece.
void gather_rows(const std::byte* base, std::size_t row_bytes, std::span<const std::int64_t> indices,
                 std::byte* to);

}  // namespace cornu::inline v0::backends::stacked
