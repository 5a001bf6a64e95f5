#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstdint>

#include "cornu/backends/cpu/kernels/bf16_gemm.h"
#include "cornu/backends/cpu/kernels/transpose_avx512.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"

// Panels of b and stores of sums, shared by the matrix kernels of bf16. An element of a panel is a pair: the
// members of k = 2 l and 2 l + 1 of one column.
namespace cornu::inline v0::backends::cpu::kernels::bf16 {

#define CORNU_BF16_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

using Half = std::uint16_t;
using Pair = std::uint32_t;  // the first member is the lower half

inline constexpr std::int64_t kLanes = 16;
inline constexpr std::int64_t kPanel = 2 * kLanes;  // columns
inline constexpr std::int64_t kMaxPairs = kBf16Depth / 2;

inline __mmask16 first_16(std::int64_t count) {
  return static_cast<__mmask16>((1U << std::clamp<std::int64_t>(count, 0, 16)) - 1);
}
inline __mmask32 first_32(std::int64_t count) {
  return static_cast<__mmask32>((std::uint64_t{1} << std::clamp<std::int64_t>(count, 0, 32)) - 1);
}

/// Checks the operands and fills a result of no products with zeros. True if the product has elements.
inline bool begin_product(const Bf16Operands& p) {
  CORNU_CHECK(p.m >= 0 && p.n >= 0 && p.k >= 0, "m = {}, n = {}, k = {}", p.m, p.n, p.k);
  CORNU_CHECK(p.k <= kBf16Depth || p.sums != nullptr, "k = {} needs sums", p.k);
  if (p.k == 0)
    for (std::int64_t i = 0; i < p.m; ++i) std::fill_n(p.c + i * p.ldc, p.n, Half{0});
  return p.m > 0 && p.n > 0;
}

/// Some depth of the product.
struct Depth {
  std::int64_t first = 0, size = 0;
  bool is_last = false;

  std::int64_t pairs() const { return divide_up(size, 2); }
};

/// The destination of a tile's sums.
struct Result {
  Half* c;
  float* sums;
  std::int64_t stride, columns;
  bool adds;    // what `sums` has
  bool rounds;  // to c; else to `sums`
};

/// The destination of the sums of the tile at (row, column).
inline Result result_at(const Bf16Operands& p, const Depth& depth, std::int64_t row, std::int64_t column,
                        std::int64_t columns) {
  const std::int64_t at = row * p.ldc + column;
  return {p.c + at,     p.sums == nullptr ? nullptr : p.sums + at, p.ldc, columns, depth.first > 0,
          depth.is_last};
}

/// Rounds the first `columns` of a row of sums.
template <int V>
CORNU_BF16_TARGET inline void store_rounded(const __m512 (&row)[V], Half* c, std::int64_t columns) {
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
CORNU_BF16_TARGET inline void add_or_keep(__m512 (&row)[V], float* kept, const Result& to) {
#pragma GCC unroll 2
  for (int v = 0; v < V; ++v, kept += kLanes) {
    const __mmask16 mask = first_16(to.columns - v * kLanes);
    if (to.adds) row[v] = _mm512_add_ps(_mm512_maskz_loadu_ps(mask, kept), row[v]);
    if (!to.rounds) _mm512_mask_storeu_ps(kept, mask, row[v]);
  }
}

template <int V>
CORNU_BF16_TARGET inline void finish_row(__m512 (&row)[V], std::int64_t r, const Result& to) {
  if (to.adds || !to.rounds) add_or_keep<V>(row, to.sums + r * to.stride, to);
  if (to.rounds) store_rounded<V>(row, to.c + r * to.stride, to.columns);
}

/// Two lines of 32 elements as pairs: columns 0 to 15, then 16 to 31.
CORNU_BF16_TARGET inline void interleave(__m512i first, __m512i second, __m512i (&pairs)[2]) {
  const __m512i low = _mm512_set_epi16(47, 15, 46, 14, 45, 13, 44, 12, 43, 11, 42, 10, 41, 9, 40, 8, 39, 7,
                                       38, 6, 37, 5, 36, 4, 35, 3, 34, 2, 33, 1, 32, 0);
  const __m512i high = _mm512_add_epi16(low, _mm512_set1_epi16(16));
  pairs[0] = _mm512_permutex2var_epi16(first, low, second);
  pairs[1] = _mm512_permutex2var_epi16(first, high, second);
}

/// The width in memory of a panel that ends with this many columns.
inline std::int64_t panel_width(std::int64_t columns) { return columns <= kLanes ? kLanes : kPanel; }

/// The lines of b as they lie: pairs of lines are interleaved.
CORNU_BF16_TARGET inline void pack_lines(const Bf16Operands& p, const Depth& depth, std::int64_t column,
                                         std::int64_t columns, Pair* panel) {
  const Half* b = p.b + depth.first * p.ldb + column;
  const __mmask32 mask = first_32(columns);
  const std::int64_t width = panel_width(columns);
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
CORNU_BF16_TARGET inline void pack_transposed(const Bf16Operands& p, const Depth& depth, std::int64_t column,
                                              std::int64_t columns, Pair* panel) {
  const Half* b = p.b + column * p.ldb + depth.first;
  const std::int64_t width = panel_width(columns), num_pairs = depth.pairs();
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

/// The next pair of lines of a transposed a: in lane r the pair of row r.
CORNU_BF16_TARGET inline __m512i pair_of_lines(const Half* a, std::int64_t lda, __mmask16 rows,
                                               bool has_second) {
  constexpr __mmask16 kAll = 0xffff;  // GCC 12 warns of its own headers where there is no mask
  const __m256i first = _mm256_maskz_loadu_epi16(rows, a);
  const __m256i second = _mm256_maskz_loadu_epi16(has_second ? rows : 0, a + lda);
  const __m512i low = _mm512_maskz_cvtepu16_epi32(kAll, first);
  const __m512i high = _mm512_maskz_slli_epi32(kAll, _mm512_maskz_cvtepu16_epi32(kAll, second), 16);
  return _mm512_or_si512(low, high);
}

}  // namespace cornu::inline v0::backends::cpu::kernels::bf16
