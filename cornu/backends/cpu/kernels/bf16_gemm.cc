#include "cornu/backends/cpu/kernels/bf16_gemm.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cornu/backends/cpu/kernels/bf16_panels.h"

// The plan is that of gemm_level.inc: blocks of b are packed in panels, and tiles of rows meet all panels of
// a block. What differs: an element of a panel is a pair, and rows of a are copied always, so that their
// pairs lie side by side however a lies and an odd k ends with a zero.
namespace cornu::inline v0::backends::cpu::kernels {
namespace {

using namespace bf16;

constexpr std::int64_t kBlockColumns = 256;
constexpr std::int64_t kPanels = kBlockColumns / kPanel;
constexpr int kRows = 14;  // of a tile; 28 registers of sums, two of b and one of a
// Where rows of c are few, b streams through: a small block is read again while it is in a near cache.
constexpr std::int64_t kFewRows = 64, kFewRowsPanels = 2;

// How a tile's rows lie in their copy: of row r and pair l.
constexpr std::int64_t kRowStride = kMaxPairs + 16;  // [r][l]: each row in other sets of the cache
constexpr std::int64_t kPairStride = kLanes;         // [l][r]: of a transposed a

template <int R, int V>
CORNU_BF16_TARGET inline void finish(__m512 (&sums)[R][V], const Result& to) {
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) finish_row<V>(sums[r], r, to);
}

CORNU_BF16_TARGET inline __m512bh as_halves(__m512i x) { return reinterpret_cast<__m512bh>(x); }

/// Lines of b that the first tile of rows packs, so that the sums hide the way from memory.
struct Lines {
  const Half* first = nullptr;
  std::int64_t stride = 0, count = 0;
  Pair* panel = nullptr;
  std::int64_t ahead = 0;  // from a line to one that is wanted a block later
};

/// The next two lines as pairs, left in the panel too.
CORNU_BF16_TARGET inline void pack_pair(Lines& lines, __m512i (&pairs)[2]) {
  constexpr std::int64_t kLinesAhead = 12;
  const Half* const second = lines.first + lines.stride;
  __builtin_prefetch(lines.first + kLinesAhead * lines.stride, 0, 3);
  __builtin_prefetch(second + kLinesAhead * lines.stride, 0, 3);
  __builtin_prefetch(lines.first + lines.ahead, 0, 2);
  __builtin_prefetch(second + lines.ahead, 0, 2);
  interleave(_mm512_loadu_si512(lines.first),
             lines.count > 1 ? _mm512_loadu_si512(second) : _mm512_setzero_si512(), pairs);
  _mm512_storeu_si512(lines.panel, pairs[0]);
  _mm512_storeu_si512(lines.panel + kLanes, pairs[1]);
  lines.first += 2 * lines.stride;
  lines.count -= 2;
  lines.panel += kPanel;
}

enum class Rows { kCopied, kCopiedByPairs };  // [r][l], [l][r]

/// sums[R][V * kLanes] = a[R][pairs] * panel[pairs][V * kLanes]
template <int R, int V, Rows kOrder, bool kPacks>
CORNU_BF16_TARGET void tile(std::int64_t pairs, const Pair* a, const Pair* panel, Lines lines,
                            const Result& to) {
  __m512 sums[R][V];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) sums[r][v] = _mm512_setzero_ps();
  }
  for (std::int64_t l = 0; l < pairs; ++l) {
    __m512i columns[2];
    if constexpr (kPacks) {
      pack_pair(lines, columns);
    } else {
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v) columns[v] = _mm512_loadu_si512(panel + v * kLanes);
      panel += V * kLanes;
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const Pair pair = a[kOrder == Rows::kCopied ? r * kRowStride : r];
      const __m512bh factor = as_halves(_mm512_set1_epi32(static_cast<int>(pair)));
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v) sums[r][v] = _mm512_dpbf16_ps(sums[r][v], factor, as_halves(columns[v]));
    }
    a += kOrder == Rows::kCopied ? 1 : kPairStride;
  }
  finish<R, V>(sums, to);
}

using Tile = void (*)(std::int64_t, const Pair*, const Pair*, Lines, const Result&);

// tiles<V, kOrder, kPacks>[r - 1] works on r rows.
template <int V, Rows kOrder, bool kPacks, int... Indices>
constexpr std::array<Tile, sizeof...(Indices)> make_tiles(std::integer_sequence<int, Indices...>) {
  return {tile<Indices + 1, V, kOrder, kPacks>...};
}
template <int V, Rows kOrder, bool kPacks>
constexpr std::array<Tile, kRows> tiles =
    make_tiles<V, kOrder, kPacks>(std::make_integer_sequence<int, kRows>());

template <Rows kOrder>
Tile tile_of(std::int64_t rows, std::int64_t columns, bool packs) {
  const auto r = static_cast<std::size_t>(rows - 1);
  if (packs) return tiles<2, kOrder, true>[r];
  return columns > kLanes ? tiles<2, kOrder, false>[r] : tiles<1, kOrder, false>[r];
}

/// Packed columns of some depth of b.
struct Panel {
  std::int64_t column = 0, columns = 0;
  const Pair* data = nullptr;  // [pairs][kLanes or kPanel]
  Lines lines = {};            // what the first tile of rows packs, or none
};

std::int64_t panels_of_block(const Bf16Operands& p) { return p.m <= kFewRows ? kFewRowsPanels : kPanels; }

/// From a line of b to what is packed a block later; nothing, in lines that are on their way already.
std::int64_t ahead_of(const Bf16Operands& p, const Depth& depth, std::int64_t column) {
  const std::int64_t columns = panels_of_block(p) * kPanel;
  if (p.n - column >= columns + kPanel) return columns;
  if (depth.is_last || p.k - depth.first < 2 * depth.size) return 0;
  return depth.size * p.ldb - column + column % columns;
}

/// Lines that fill a panel are left to the first tile of rows.
Panel pack(const Bf16Operands& p, const Depth& depth, std::int64_t column, Pair* to) {
  const std::int64_t columns = std::min(kPanel, p.n - column);
  Panel panel{column, columns, to};
  if (p.transpose_b)
    pack_transposed(p, depth, column, columns, to);
  else if (columns < kPanel)
    pack_lines(p, depth, column, columns, to);
  else
    panel.lines = {p.b + depth.first * p.ldb + column, p.ldb, depth.size, to, ahead_of(p, depth, column)};
  return panel;
}

/// Copies a tile's rows of a, [r][l] or of a transposed a [l][r].
CORNU_BF16_TARGET void copy_rows(const Bf16Operands& p, const Depth& depth, std::int64_t row,
                                 std::int64_t rows, Pair* to) {
  if (p.transpose_a) {
    const Half* a = p.a + depth.first * p.lda + row;
    const __mmask16 mask = first_16(rows);
    for (std::int64_t l = 0; l < depth.size; l += 2, a += 2 * p.lda, to += kPairStride)
      _mm512_storeu_si512(to, pair_of_lines(a, p.lda, mask, l + 1 < depth.size));
    return;
  }
  const Half* a = p.a + row * p.lda + depth.first;
  for (std::int64_t r = 0; r < rows; ++r, a += p.lda, to += kRowStride)
    for (std::int64_t l = 0; l < depth.size; l += 2 * kLanes)
      _mm512_storeu_si512(to + l / 2, _mm512_maskz_loadu_epi16(first_32(depth.size - l), a + l));
}

struct Block {
  std::array<Panel, kPanels> panels;  // the first `count` are set
  std::int64_t count = 0;
};

/// All rows of c by the panels of a block.
CORNU_BF16_TARGET void multiply_block(const Bf16Operands& p, const Depth& depth, const Block& block) {
  alignas(64) Pair copied[std::max(kRows * kRowStride, kMaxPairs * kPairStride)];
  // Rows in equal parts: 16 rows are 8 + 8, not 14 + 2.
  const std::int64_t num_tiles = divide_up(p.m, kRows), fewest = p.m / num_tiles,
                     num_larger = p.m % num_tiles;
  for (std::int64_t row = 0, t = 0, rows; row < p.m; row += rows, ++t) {
    rows = fewest + (t < num_larger ? 1 : 0);
    copy_rows(p, depth, row, rows, copied);
    for (std::int64_t i = 0; i < block.count; ++i) {
      const Panel& panel = block.panels[static_cast<std::size_t>(i)];
      const Result to = result_at(p, depth, row, panel.column, panel.columns);
      const bool packs = t == 0 && panel.lines.count > 0;
      const Tile run = p.transpose_a ? tile_of<Rows::kCopiedByPairs>(rows, panel.columns, packs)
                                     : tile_of<Rows::kCopied>(rows, panel.columns, packs);
      run(depth.pairs(), copied, panel.data, panel.lines, to);
    }
  }
}

void multiply(const Bf16Operands& p) {
  alignas(64) Pair packed[kMaxPairs * kBlockColumns];
  const std::int64_t most = panels_of_block(p);
  for (std::int64_t first = 0; first < p.k; first += kBf16Depth) {
    const Depth depth{first, std::min(kBf16Depth, p.k - first), p.k - first <= kBf16Depth};
    for (std::int64_t column = 0; column < p.n;) {
      Block block;
      Pair* at = packed;
      for (; column < p.n && block.count < most; column += kPanel) {
        block.panels[static_cast<std::size_t>(block.count++)] = pack(p, depth, column, at);
        at += depth.pairs() * kPanel;
      }
      multiply_block(p, depth, block);
    }
  }
}

}  // namespace

void bf16_gemm(const Bf16Operands& p) {
  if (begin_product(p)) multiply(p);
}

}  // namespace cornu::inline v0::backends::cpu::kernels
