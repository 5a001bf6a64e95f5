#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cornu::inline v0::backends::slabs {

/// Copies rows of row-major data, one behind the other: row indices[i] begins at base + indices[i] *
/// row_bytes and goes to to + i * row_bytes. Rows that follow each other in the data are copied as one piece.
void gather_rows(const std::byte* base, std::size_t row_bytes, std::span<const std::int64_t> indices,
                 std::byte* to);

}  // namespace cornu::inline v0::backends::slabs
