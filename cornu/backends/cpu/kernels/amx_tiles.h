#pragma once

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace cornu::inline v0::backends::cpu::kernels {

/// The configuration of AMX's tiles that ldtilecfg reads: all eight whole, of 16 rows of 64 bytes.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1, start_row = 0;
  std::array<std::uint8_t, 14> reserved{};
  std::array<std::uint16_t, 16> row_bytes{};
  std::array<std::uint8_t, 16> rows{};
};
static_assert(sizeof(TileShapes) == 64);

/// Configures the calling thread's tiles as whole ones, until _tile_release().
__attribute__((target("amx-tile"))) inline void configure_whole_tiles() {
  TileShapes shapes;
  std::fill_n(shapes.row_bytes.begin(), 8, std::uint16_t{64});
  std::fill_n(shapes.rows.begin(), 8, std::uint8_t{16});
  _tile_loadconfig(&shapes);
}

}  // namespace cornu::inline v0::backends::cpu::kernels
