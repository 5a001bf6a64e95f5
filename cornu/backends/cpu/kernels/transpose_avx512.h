#pragma once

#include <immintrin.h>

#include <cstdint>

namespace cornu::inline v0::backends::cpu::kernels {

/// 16 x 16 elements of 32 bits, in 64 shuffles: pairs of rows, fours, and then quarters of registers.
__attribute__((target("avx512f"))) inline void transpose_avx512(__m512 (&rows)[16]) {
  constexpr __mmask16 kAll = 0xffff;  // GCC 12 warns of its own headers where there is no mask
  __m512 pairs[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    pairs[i] = _mm512_maskz_unpacklo_ps(kAll, rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_maskz_unpackhi_ps(kAll, rows[i], rows[i + 1]);
  }
  // rows[i + j]: in quarter q column 4 q + j of rows i to i + 3
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    rows[i] = _mm512_maskz_shuffle_ps(kAll, pairs[i], pairs[i + 2], 0x44);
    rows[i + 1] = _mm512_maskz_shuffle_ps(kAll, pairs[i], pairs[i + 2], 0xee);
    rows[i + 2] = _mm512_maskz_shuffle_ps(kAll, pairs[i + 1], pairs[i + 3], 0x44);
    rows[i + 3] = _mm512_maskz_shuffle_ps(kAll, pairs[i + 1], pairs[i + 3], 0xee);
  }
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const __m512 first_even = _mm512_maskz_shuffle_f32x4(kAll, rows[j], rows[j + 4], 0x88),
                 first_odd = _mm512_maskz_shuffle_f32x4(kAll, rows[j], rows[j + 4], 0xdd);
    const __m512 last_even = _mm512_maskz_shuffle_f32x4(kAll, rows[j + 8], rows[j + 12], 0x88),
                 last_odd = _mm512_maskz_shuffle_f32x4(kAll, rows[j + 8], rows[j + 12], 0xdd);
    rows[j] = _mm512_maskz_shuffle_f32x4(kAll, first_even, last_even, 0x88);
    rows[j + 4] = _mm512_maskz_shuffle_f32x4(kAll, first_odd, last_odd, 0x88);
    rows[j + 8] = _mm512_maskz_shuffle_f32x4(kAll, first_even, last_even, 0xdd);
    rows[j + 12] = _mm512_maskz_shuffle_f32x4(kAll, first_odd, last_odd, 0xdd);
  }
}

/// to[c * to_stride + r] = from[r * from_stride + c] for 16 rows and columns.
__attribute__((target("avx512f"))) inline void transpose_square_avx512(const float* from,
                                                                       std::int64_t from_stride, float* to,
                                                                       std::int64_t to_stride) {
  __m512 rows[16];
#pragma GCC unroll 16
  for (int r = 0; r < 16; ++r) rows[r] = _mm512_loadu_ps(from + r * from_stride);
  transpose_avx512(rows);
#pragma GCC unroll 16
  for (int c = 0; c < 16; ++c) _mm512_storeu_ps(to + c * to_stride, rows[c]);
}

/// The same for 8 rows and columns of 64 bits, in 24 shuffles.
__attribute__((target("avx512f"))) inline void transpose_square_avx512(const double* from,
                                                                       std::int64_t from_stride, double* to,
                                                                       std::int64_t to_stride) {
  constexpr __mmask8 kAll = 0xff;  // GCC 12 warns of its own headers where there is no mask
  __m512d pairs[2][4];             // of even and odd columns: in quarter q column 2 q or 2 q + 1 of two rows
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512d first = _mm512_loadu_pd(from + 2 * i * from_stride),
                  second = _mm512_loadu_pd(from + (2 * i + 1) * from_stride);
    pairs[0][i] = _mm512_maskz_unpacklo_pd(kAll, first, second);
    pairs[1][i] = _mm512_maskz_unpackhi_pd(kAll, first, second);
  }
#pragma GCC unroll 2
  for (int odd = 0; odd < 2; ++odd) {
    const __m512d* const p = pairs[odd];
    const __m512d first_even = _mm512_maskz_shuffle_f64x2(kAll, p[0], p[1], 0x88),
                  first_odd = _mm512_maskz_shuffle_f64x2(kAll, p[0], p[1], 0xdd);
    const __m512d last_even = _mm512_maskz_shuffle_f64x2(kAll, p[2], p[3], 0x88),
                  last_odd = _mm512_maskz_shuffle_f64x2(kAll, p[2], p[3], 0xdd);
    double* const column = to + odd * to_stride;
    _mm512_storeu_pd(column, _mm512_maskz_shuffle_f64x2(kAll, first_even, last_even, 0x88));
    _mm512_storeu_pd(column + 2 * to_stride, _mm512_maskz_shuffle_f64x2(kAll, first_odd, last_odd, 0x88));
    _mm512_storeu_pd(column + 4 * to_stride, _mm512_maskz_shuffle_f64x2(kAll, first_even, last_even, 0xdd));
    _mm512_storeu_pd(column + 6 * to_stride, _mm512_maskz_shuffle_f64x2(kAll, first_odd, last_odd, 0xdd));
  }
}

}  // namespace cornu::inline v0::backends::cpu::kernels
