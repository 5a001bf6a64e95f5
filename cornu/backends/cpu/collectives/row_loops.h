#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cornu/base/cpu_info.h"

/// Loops over ids and over gradients of rows, for tables whose rows are in several processes. There is one
/// version for each instruction set level; all of them compute the same bits.
namespace cornu::inline v0::backends::cpu {

/// Consecutive rows of a table.
struct RowRange {
  std::int64_t first = 0, count = 0;
};

/// The number of elements after the last one that list_positions may overwrite.
inline constexpr std::size_t kPositionsBeyond = 16;

/// Lists the positions of the ids that are in the range, in order, and returns their number. `positions` has
/// room for ids.size() + kPositionsBeyond.
std::size_t list_positions(IsaLevel level, std::span<const std::int32_t> ids, const RowRange& range,
                           std::int32_t* positions);
std::size_t list_positions(IsaLevel level, std::span<const std::int64_t> ids, const RowRange& range,
                           std::int32_t* positions);

/// Counts the ids that are in the range.
std::size_t count_ids(IsaLevel level, std::span<const std::int32_t> ids, const RowRange& range);
std::size_t count_ids(IsaLevel level, std::span<const std::int64_t> ids, const RowRange& range);

/// The gradients of a process, with the numbers of those of each id as a linked list: its first element by
/// the first position of the id, then the next one for each; -1 at the end. `row_factor` and `row_shift`: the
/// gradient with number i is in row i * row_factor >> row_shift.
struct LinkedGradients {
  const std::byte* rows = nullptr;
  std::size_t row_bytes = 0;
  const std::int32_t* heads = nullptr;
  const std::int32_t* next = nullptr;
  std::size_t row_factor = 1;
  int row_shift = 0;

  std::size_t row_number(std::int32_t i) const {
    return static_cast<std::size_t>(i) * row_factor >> row_shift;
  }
  /// The gradient with this number, from a byte on.
  const std::byte* row(std::int32_t i, std::size_t byte) const {
    return rows + row_number(i) * row_bytes + byte;
  }
};

/// Sums of rows with `count` elements each, one after the other. `spare` has room for one more.
template <typename T>
struct RowSums {
  T* rows = nullptr;
  std::size_t count = 0;
  T* spare = nullptr;
};

/// Computes the sum of the gradients of each position, in their order from zero on, and adds it to the row of
/// the sums with the number places[k]; where that is negative, writes it to the row ~places[k]. `column`: the
/// first byte in a row of the gradients. For float and double.
template <typename T>
void add_gradients(IsaLevel level, const LinkedGradients& gradients, std::size_t column,
                   std::span<const std::int32_t> positions, const std::int32_t* places,
                   const RowSums<T>& sums);

/// Adds rows, one after the other, in the same way.
template <typename T>
void add_rows(IsaLevel level, const T* rows, std::span<const std::int32_t> places, const RowSums<T>& sums);

}  // namespace cornu::inline v0::backends::cpu
