#include "cornu/backends/cpu/kernels/bf16_tile_gemm.h"

#include <immintrin.h>

#include <algorithm>
#include <array>

#include "cornu/backends/cpu/kernels/bf16_panels.h"
#include "cornu/base/check.h"

// Blocks of b are packed in panels of 32 columns, which stay in the second cache; 32 rows of a, copied, meet
// all panels of a block. Four tiles hold the sums of 32 rows and 32 columns, two have rows of a and two pairs
// of b, so that four products of 16 cycles each need four loads. Sums of more than kStrip products are laid
// aside between strips: so the strip of a, 16 KiB, stays in the first cache, and only b comes from the
// second.
namespace cornu::inline v0::backends::cpu::kernels {
namespace {

using bf16::Depth, bf16::Half, bf16::Pair, bf16::Result, bf16::kLanes, bf16::kMaxPairs, bf16::kPanel;

#define CORNU_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,amx-tile,amx-bf16")))

constexpr std::int64_t kTileRows = 16, kTilePairs = 16;
constexpr std::int64_t kRows = kBf16TileRows;
static_assert(kRows == 2 * kTileRows);
constexpr std::int64_t kStripPairs = 128;
constexpr std::int64_t kPackedPairs = 128 * 1024;  // 512 KiB
// Of a block whose depth has more than one strip.
constexpr std::int64_t kMaxPanels = kPackedPairs / (kStripPairs * kPanel);
constexpr std::int64_t kRowStride = kMaxPairs + kTilePairs;  // of rows of a: each in other sets of the cache

/// The configuration that ldtilecfg reads.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1, start_row = 0;
  std::array<std::uint8_t, 14> reserved{};
  std::array<std::uint16_t, 16> row_bytes{};
  std::array<std::uint8_t, 16> rows{};
};
static_assert(sizeof(TileShapes) == 64);

// The tiles: sums, rows of a, pairs of b. Intrinsics take their numbers as literals:
// 0 1   4
// 2 3   5   6 7
CORNU_TARGET void set_rows(std::int64_t rows) {
  TileShapes shapes;
  shapes.row_bytes.fill(0);
  for (std::size_t tile = 0; tile < 8; ++tile) {
    const std::int64_t first = std::min(rows, kTileRows), rest = std::max<std::int64_t>(rows - kTileRows, 1);
    const bool is_upper = tile == 0 || tile == 1 || tile == 4, is_panel = tile >= 6;
    shapes.rows[tile] = static_cast<std::uint8_t>(is_panel ? kTilePairs : is_upper ? first : rest);
    shapes.row_bytes[tile] = 64;
  }
  _tile_loadconfig(&shapes);
}

/// Rows of a and a panel of b, of some depth.
struct Factors {
  const Pair* a;      // [rows][kRowStride]
  const Pair* panel;  // [pairs][width]
  std::int64_t width;
  std::int64_t pairs;  // a multiple of kTilePairs
};

/// sums[32][32] = or += a * panel, of 16 or 32 rows and of 16 or 32 columns.
template <bool kTwoRows, bool kTwoColumns>
CORNU_TARGET void multiply_tiles(const Factors& factors, float* sums, bool adds) {
  constexpr std::int64_t kSumsStride = kPanel * sizeof(float), kAStride = kRowStride * sizeof(Pair);
  float* const lower = sums + kTileRows * kPanel;
  if (adds) {
    _tile_loadd(0, sums, kSumsStride);
    if constexpr (kTwoColumns) _tile_loadd(1, sums + kLanes, kSumsStride);
    if constexpr (kTwoRows) _tile_loadd(2, lower, kSumsStride);
    if constexpr (kTwoRows && kTwoColumns) _tile_loadd(3, lower + kLanes, kSumsStride);
  } else {
    _tile_zero(0);
    if constexpr (kTwoColumns) _tile_zero(1);
    if constexpr (kTwoRows) _tile_zero(2);
    if constexpr (kTwoRows && kTwoColumns) _tile_zero(3);
  }
  const std::int64_t stride = factors.width * static_cast<std::int64_t>(sizeof(Pair));
  const Pair *a = factors.a, *panel = factors.panel;
  for (std::int64_t l = 0; l < factors.pairs; l += kTilePairs) {
    _tile_loadd(6, panel, stride);
    _tile_loadd(4, a, kAStride);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (kTwoColumns) {
      _tile_loadd(7, panel + kLanes, stride);
      _tile_dpbf16ps(1, 4, 7);
    }
    if constexpr (kTwoRows) {
      _tile_loadd(5, a + kTileRows * kRowStride, kAStride);
      _tile_dpbf16ps(2, 5, 6);
      if constexpr (kTwoColumns) _tile_dpbf16ps(3, 5, 7);
    }
    a += kTilePairs;
    panel += kTilePairs * factors.width;
  }
  _tile_stored(0, sums, kSumsStride);
  if constexpr (kTwoColumns) _tile_stored(1, sums + kLanes, kSumsStride);
  if constexpr (kTwoRows) _tile_stored(2, lower, kSumsStride);
  if constexpr (kTwoRows && kTwoColumns) _tile_stored(3, lower + kLanes, kSumsStride);
}

CORNU_TARGET void multiply_strip(const Factors& factors, std::int64_t rows, float* sums, bool adds) {
  if (rows > kTileRows)
    factors.width > kLanes ? multiply_tiles<true, true>(factors, sums, adds)
                           : multiply_tiles<true, false>(factors, sums, adds);
  else
    factors.width > kLanes ? multiply_tiles<false, true>(factors, sums, adds)
                           : multiply_tiles<false, false>(factors, sums, adds);
}

CORNU_TARGET void finish(const float* sums, std::int64_t rows, const Result& to) {
  for (std::int64_t r = 0; r < rows; ++r, sums += kPanel) {
    if (to.columns > kLanes) {
      __m512 row[2] = {_mm512_loadu_ps(sums), _mm512_loadu_ps(sums + kLanes)};
      bf16::finish_row<2>(row, r, to);
    } else {
      __m512 row[1] = {_mm512_loadu_ps(sums)};
      bf16::finish_row<1>(row, r, to);
    }
  }
}

/// Copies rows of a as [r][l]; pairs beyond the depth, up to a whole tile, are zeros.
CORNU_TARGET void copy_rows(const Bf16Operands& p, const Depth& depth, std::int64_t row, std::int64_t rows,
                            Pair* to) {
  const Half* a = p.a + row * p.lda + depth.first;
  for (std::int64_t r = 0; r < rows; ++r, a += p.lda, to += kRowStride)
    for (std::int64_t l = 0; l < depth.size; l += 2 * kLanes)
      _mm512_storeu_si512(to + l / 2, _mm512_maskz_loadu_epi16(bf16::first_32(depth.size - l), a + l));
}

/// The same of a transposed a: pairs of its lines, 16 x 16 of them transposed at a time.
CORNU_TARGET void copy_transposed(const Bf16Operands& p, const Depth& depth, std::int64_t row,
                                  std::int64_t rows, Pair* to) {
  for (std::int64_t r = 0; r < rows; r += kLanes) {
    const Half* a = p.a + depth.first * p.lda + row + r;
    const __mmask16 mask = bf16::first_16(rows - r);
    for (std::int64_t l = 0; l < depth.size; l += 2 * kLanes) {
      __m512 block[kLanes];
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i, a += 2 * p.lda) {
        const std::int64_t line = l + 2 * i;
        block[i] = _mm512_castsi512_ps(
            bf16::pair_of_lines(a, p.lda, line < depth.size ? mask : 0, line + 1 < depth.size));
      }
      transpose_avx512(block);
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i) _mm512_storeu_ps(to + (r + i) * kRowStride + l / 2, block[i]);
    }
  }
}

std::int64_t whole_tiles(std::int64_t pairs) { return bf16::divide_up(pairs, kTilePairs) * kTilePairs; }

std::int64_t columns_of_block(std::int64_t depth) {
  return kPackedPairs / (whole_tiles(bf16::divide_up(depth, 2)) * kPanel) * kPanel;
}

struct Block {
  Depth depth;
  std::int64_t first = 0, end = 0;  // columns
  const Pair* packed = nullptr;     // [panels][pairs][kPanel or, of the last, its width]

  std::int64_t pairs() const { return whole_tiles(depth.pairs()); }
};

/// Packs a panel; pairs beyond the depth, up to a whole tile, are zeros.
CORNU_TARGET void pack(const Bf16Operands& p, const Block& block, std::int64_t column, Pair* to) {
  const std::int64_t columns = std::min(kPanel, block.end - column), width = bf16::panel_width(columns),
                     pairs = block.depth.pairs();
  p.transpose_b ? bf16::pack_transposed(p, block.depth, column, columns, to)
                : bf16::pack_lines(p, block.depth, column, columns, to);
  std::fill(to + pairs * width, to + block.pairs() * width, Pair{0});
}

/// Some rows of c by the panels of a block.
CORNU_TARGET void multiply_rows(const Bf16Operands& p, const Block& block, std::int64_t row,
                                std::int64_t rows, const Pair* a) {
  alignas(64) float sums[kMaxPanels * kRows * kPanel];
  const std::int64_t pairs = block.pairs();
  const bool in_strips = pairs > kStripPairs;
  for (std::int64_t first = 0; first < pairs; first += kStripPairs) {
    const std::int64_t size = std::min(kStripPairs, pairs - first);
    for (std::int64_t column = block.first, i = 0; column < block.end; column += kPanel, ++i) {
      const std::int64_t columns = std::min(kPanel, block.end - column), width = bf16::panel_width(columns);
      const Pair* const panel = block.packed + i * pairs * kPanel + first * width;
      // Whole sums change places, so that those of the next panel need not wait for the rounding.
      float* const own = sums + (in_strips ? i : i % 2) * kRows * kPanel;
      multiply_strip({a + first, panel, width, size}, rows, own, first > 0);
      if (first + size == pairs) finish(own, rows, bf16::result_at(p, block.depth, row, column, columns));
    }
  }
}

/// All rows of c by the panels of a block.
CORNU_TARGET void multiply_block(const Bf16Operands& p, const Block& block) {
  alignas(64) Pair copied[kRows * kRowStride];
  for (std::int64_t row = 0; row < p.m; row += kRows) {
    const std::int64_t rows = std::min(kRows, p.m - row);
    if (row == 0 || rows < kRows) set_rows(rows);
    p.transpose_a ? copy_transposed(p, block.depth, row, rows, copied)
                  : copy_rows(p, block.depth, row, rows, copied);
    multiply_rows(p, block, row, rows, copied);
  }
}

CORNU_TARGET void multiply(const Bf16Operands& p) {
  alignas(64) Pair packed[kPackedPairs];
  for (std::int64_t first = 0; first < p.k; first += kBf16Depth) {
    const std::int64_t size = std::min(kBf16Depth, p.k - first);
    Block block{.depth = {first, size, first + size == p.k}, .packed = packed};
    const std::int64_t panel = block.pairs() * kPanel, columns = columns_of_block(size);
    for (; block.first < p.n; block.first = block.end) {
      block.end = std::min(p.n, block.first + columns);
      for (std::int64_t column = block.first, i = 0; column < block.end; column += kPanel, ++i)
        pack(p, block, column, packed + i * panel);
      multiply_block(p, block);
    }
  }
  _tile_release();
}

#undef CORNU_TARGET

}  // namespace

std::int64_t bf16_tile_block_columns(std::int64_t k) {
  return columns_of_block(std::clamp<std::int64_t>(k, 1, kBf16Depth));
}

void bf16_tile_gemm(const Bf16Operands& p) {
  CORNU_CHECK(p.m >= 0 && p.n >= 0 && p.k >= 0, "m = {}, n = {}, k = {}", p.m, p.n, p.k);
  CORNU_CHECK(p.k <= kBf16Depth || p.sums != nullptr, "k = {} needs sums", p.k);
  if (p.m == 0 || p.n == 0) return;
  if (p.k == 0)
    for (std::int64_t i = 0; i < p.m; ++i) std::fill_n(p.c + i * p.ldc, p.n, Half{0});
  multiply(p);
}

}  // namespace cornu::inline v0::backends::cpu::kernels
