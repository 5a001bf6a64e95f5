#include "cornu/backends/cpu/kernels/bf16_gemm.h"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cornu/backends/cpu/kernels/transpose_avx512.h"
#include "cornu/base/check.h"

// The plan is that of gemm_level.inc: blocks of b are packed in panels, and tiles of rows meet all panels of
// a block. What differs: an element of a panel is a pair, the members of k = 2 l and 2 l + 1 of one column,
// and rows of a are copied always, so that their pairs lie side by side however a lies and an odd k ends with
// a zero.
namespace cornu::inline v0::backends::cpu::kernels {
namespace {

#define CORNU_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

using Half = std::uint16_t;
using Pair = std::uint32_t;  // the first member is the lower half

constexpr std::int64_t kLanes = 16;
constexpr std::int64_t kPanel = 2 * kLanes;  // columns
constexpr std::int64_t kBlockColumns = 256;
constexpr std::int64_t kPanels = kBlockColumns / kPanel;
constexpr std::int64_t kMaxPairs = kBf16Depth / 2;
constexpr int kRows = 14;  // of a tile; 28 registers of sums, two of b and one of a
// Where rows of c are few, b streams through: a small block is read again while it is in a near cache.
constexpr std::int64_t kFewRows = 64, kFewRowsPanels = 2;

// How a tile's rows lie in their copy: of row r and pair l.
constexpr std::int64_t kRowStride = kMaxPairs + 16;  // [r][l]: each row in other sets of the cache
constexpr std::int64_t kPairStride = kLanes;         // [l][r]: of a transposed a

std::int64_t divide_up(std::int64_t x, std::int64_t y) { return (x + y - 1) / y; }

__mmask16 first_16(std::int64_t count) {
  return static_cast<__mmask16>((1U << std::clamp<std::int64_t>(count, 0, 16)) - 1);
}
__mmask32 first_32(std::int64_t count) {
  return static_cast<__mmask32>((std::uint64_t{1} << std::clamp<std::int64_t>(count, 0, 32)) - 1);
}

/// Some depth of the product.
struct Depth {
  std::int64_t first = 0, size = 0;
  bool is_last = false;

  std::int64_t pairs() const { return divide_up(size, 2); }
};

/// Where a tile's sums go.
struct Result {
  Half* c;
  float* sums;
  std::int64_t stride, columns;
  bool adds;    // what `sums` has
  bool rounds;  // to c; else to `sums`
};

/// Rounds the first `columns` of a row of sums.
template <int V>
CORNU_TARGET inline void store_rounded(const __m512 (&row)[V], Half* c, std::int64_t columns) {
  if constexpr (V == 2) {
    const auto rounded = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(row[1], row[0]));
    // A mask slows a store down, which counts where sums are short.
    if (columns == V * kLanes) return _mm512_storeu_si512(c, rounded);
    _mm512_mask_storeu_epi16(c, first_32(columns), rounded);
  } else {
    const auto rounded = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(row[0]));
    _mm256_mask_storeu_epi16(c, first_16(columns), rounded);
  }
}

/// Adds what was kept to a row of sums, or keeps the row, or both.
template <int V>
CORNU_TARGET inline void add_or_keep(__m512 (&row)[V], float* kept, const Result& to) {
#pragma GCC unroll 2
  for (int v = 0; v < V; ++v, kept += kLanes) {
    const __mmask16 mask = first_16(to.columns - v * kLanes);
    if (to.adds) row[v] = _mm512_add_ps(_mm512_maskz_loadu_ps(mask, kept), row[v]);
    if (!to.rounds) _mm512_mask_storeu_ps(kept, mask, row[v]);
  }
}

template <int R, int V>
CORNU_TARGET inline void finish(__m512 (&sums)[R][V], const Result& to) {
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r) {
    if (to.adds || !to.rounds) add_or_keep<V>(sums[r], to.sums + r * to.stride, to);
    if (to.rounds) store_rounded<V>(sums[r], to.c + r * to.stride, to.columns);
  }
}

/// Two lines of 32 elements as pairs: columns 0 to 15, then 16 to 31.
CORNU_TARGET inline void interleave(__m512i first, __m512i second, __m512i (&pairs)[2]) {
  const __m512i low = _mm512_set_epi16(47, 15, 46, 14, 45, 13, 44, 12, 43, 11, 42, 10, 41, 9, 40, 8, 39, 7,
                                       38, 6, 37, 5, 36, 4, 35, 3, 34, 2, 33, 1, 32, 0);
  const __m512i high = _mm512_add_epi16(low, _mm512_set1_epi16(16));
  pairs[0] = _mm512_permutex2var_epi16(first, low, second);
  pairs[1] = _mm512_permutex2var_epi16(first, high, second);
}

CORNU_TARGET inline __m512bh as_halves(__m512i x) { return reinterpret_cast<__m512bh>(x); }

/// Lines of b that the first tile of rows packs, so that the sums hide the way from memory.
struct Lines {
  const Half* first = nullptr;
  std::int64_t stride = 0, count = 0;
  Pair* panel = nullptr;
  std::int64_t ahead = 0;  // from a line to one that is wanted a block later
};

/// The next two lines as pairs, left in the panel too.
CORNU_TARGET inline void pack_pair(Lines& lines, __m512i (&pairs)[2]) {
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
CORNU_TARGET void tile(std::int64_t pairs, const Pair* a, const Pair* panel, Lines lines, const Result& to) {
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

/// The lines of b as they lie: pairs of lines are interleaved.
CORNU_TARGET void pack_lines(const Bf16Operands& p, const Depth& depth, std::int64_t column,
                             std::int64_t columns, Pair* panel) {
  const Half* b = p.b + depth.first * p.ldb + column;
  const __mmask32 mask = first_32(columns);
  const std::int64_t width = columns <= kLanes ? kLanes : kPanel;
  for (std::int64_t l = 0; l < depth.size; l += 2, b += 2 * p.ldb, panel += width) {
    const __m512i first = _mm512_maskz_loadu_epi16(mask, b);
    const __m512i second = _mm512_maskz_loadu_epi16(l + 1 < depth.size ? mask : 0, b + p.ldb);
    __m512i pairs[2];
    interleave(first, second, pairs);
    _mm512_storeu_si512(panel, pairs[0]);
    if (width > kLanes) _mm512_storeu_si512(panel + kLanes, pairs[1]);
  }
}

/// A transposed b: its pairs lie side by side already, so that they are transposed as floats are.
CORNU_TARGET void pack_transposed(const Bf16Operands& p, const Depth& depth, std::int64_t column,
                                  std::int64_t columns, Pair* panel) {
  const Half* b = p.b + column * p.ldb + depth.first;
  const std::int64_t width = columns <= kLanes ? kLanes : kPanel, num_pairs = depth.pairs();
  for (std::int64_t j = 0; j < width; j += kLanes) {
    for (std::int64_t l = 0; l < num_pairs; l += kLanes) {
      __m512 block[kLanes];
      const __mmask32 mask = first_32(depth.size - 2 * l);
      const Half* const from = b + j * p.ldb + 2 * l;
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kLanes; ++i)
        block[i] =
            _mm512_castsi512_ps(_mm512_maskz_loadu_epi16(j + i < columns ? mask : 0, from + i * p.ldb));
      transpose_avx512(block);
      Pair* const to = panel + l * width + j;
      if (num_pairs - l >= kLanes) {
#pragma GCC unroll 16
        for (std::int64_t i = 0; i < kLanes; ++i) _mm512_storeu_ps(to + i * width, block[i]);
      } else {
        for (std::int64_t i = 0; i < num_pairs - l; ++i) _mm512_storeu_ps(to + i * width, block[i]);
      }
    }
  }
}

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
CORNU_TARGET void copy_rows(const Bf16Operands& p, const Depth& depth, std::int64_t row, std::int64_t rows,
                            Pair* to) {
  if (p.transpose_a) {
    constexpr __mmask16 kAll = 0xffff;  // GCC 12 warns of its own headers where there is no mask
    const Half* a = p.a + depth.first * p.lda + row;
    const __mmask16 mask = first_16(rows);
    for (std::int64_t l = 0; l < depth.size; l += 2, a += 2 * p.lda, to += kPairStride) {
      const __m256i first = _mm256_maskz_loadu_epi16(mask, a);
      const __m256i second = _mm256_maskz_loadu_epi16(l + 1 < depth.size ? mask : 0, a + p.lda);
      const __m512i low = _mm512_maskz_cvtepu16_epi32(kAll, first);
      const __m512i high = _mm512_maskz_slli_epi32(kAll, _mm512_maskz_cvtepu16_epi32(kAll, second), 16);
      _mm512_storeu_si512(to, _mm512_or_si512(low, high));
    }
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
CORNU_TARGET void multiply_block(const Bf16Operands& p, const Depth& depth, const Block& block) {
  alignas(64) Pair copied[std::max(kRows * kRowStride, kMaxPairs * kPairStride)];
  // Rows in equal parts: 16 rows are 8 + 8, not 14 + 2.
  const std::int64_t num_tiles = divide_up(p.m, kRows), fewest = p.m / num_tiles,
                     num_larger = p.m % num_tiles;
  for (std::int64_t row = 0, t = 0, rows; row < p.m; row += rows, ++t) {
    rows = fewest + (t < num_larger ? 1 : 0);
    copy_rows(p, depth, row, rows, copied);
    for (std::int64_t i = 0; i < block.count; ++i) {
      const Panel& panel = block.panels[static_cast<std::size_t>(i)];
      const std::int64_t at = row * p.ldc + panel.column;
      const Result to{p.c + at,        p.sums == nullptr ? nullptr : p.sums + at,
                      p.ldc,           panel.columns,
                      depth.first > 0, depth.is_last};
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

#undef CORNU_TARGET

}  // namespace

void bf16_gemm(const Bf16Operands& p) {
  CORNU_CHECK(p.m >= 0 && p.n >= 0 && p.k >= 0, "m = {}, n = {}, k = {}", p.m, p.n, p.k);
  CORNU_CHECK(p.k <= kBf16Depth || p.sums != nullptr, "k = {} needs sums", p.k);
  if (p.m == 0 || p.n == 0) return;
  if (p.k == 0)
    for (std::int64_t i = 0; i < p.m; ++i) std::fill_n(p.c + i * p.ldc, p.n, Half{0});
  multiply(p);
}

}  // namespace cornu::inline v0::backends::cpu::kernels
