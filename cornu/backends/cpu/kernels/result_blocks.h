#pragma once

#include <algorithm>
#include <cstdint>

#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {

/// Blocks of a product's result [m, n] that are computed at a time: blocks of columns, so that the right
/// operand is read once if it can be, then, where these are few, blocks of rows.
struct ResultBlocks {
  std::int64_t rows = 1, row_blocks = 1;
  std::int64_t columns = 1, column_blocks = 1;

  /// About `wanted` blocks, of columns at multiples of `panel`, and of at least about `fewest_rows` rows.
  static ResultBlocks cut(std::int64_t m, std::int64_t n, std::int64_t panel, std::int64_t fewest_rows,
                          std::int64_t wanted) {
    const auto blocks_of = [](std::int64_t extent, std::int64_t size) {
      return std::max<std::int64_t>(divide_up(extent, size), 1);
    };
    ResultBlocks blocks;
    const std::int64_t panels = blocks_of(n, panel);
    blocks.columns = blocks_of(panels, std::min(wanted, panels)) * panel;
    blocks.column_blocks = blocks_of(n, blocks.columns);
    const std::int64_t row_blocks = std::clamp<std::int64_t>(wanted / blocks.column_blocks, 1,
                                                             std::max<std::int64_t>(m / fewest_rows, 1));
    blocks.rows = blocks_of(m, row_blocks);
    blocks.row_blocks = blocks_of(m, blocks.rows);
    return blocks;
  }

  std::int64_t count() const { return row_blocks * column_blocks; }
  /// The first row and column of block number `block`.
  std::int64_t first_row(std::int64_t block) const { return block % row_blocks * rows; }
  std::int64_t first_column(std::int64_t block) const { return block / row_blocks % column_blocks * columns; }
};

/// The number of blocks for a product that takes one thread `ns` nanoseconds.
inline std::int64_t num_blocks_wanted(double ns, int num_threads) {
  constexpr double kBlockNs = 4000;
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(ns / kBlockNs), 1,
                                  2 * std::max<std::int64_t>(num_threads, 1));
}

}  // namespace cornu::inline v0::backends::cpu
