#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cornu/backends/cpu/kernels/transpose_avx512.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/elements_apart.h"

/// Inner loops of Fourier transforms, one version for each instruction set level.
namespace cornu::inline v0::backends::cpu {

/// One stage of a Stockham transform of radix r on split complex numbers. For p < m, k < r and q < stride, result k of p, at
/// p * to_step + k * to_part + q, is w^k times output k of the transform of the r elements at p * from_step +
/// j * from_part + q; the powers w, w^2, .. of p are at p * twiddle_step of twiddles.
template <typename T>
struct FftStage {
  std::int64_t m = 0, stride = 0;
  std::int64_t from_step = 0, from_part = 0, to_step = 0, to_part = 0, twiddle_step = 0;
  const T *from_re = nullptr, *from_im = nullptr;
  T *to_re = nullptr, *to_im = nullptr;
  const T *twiddle_re = nullptr, *twiddle_im = nullptr;
  /// Radices without code of their own: the r roots of one.
  std::int64_t radix = 0;
  const T *root_re = nullptr, *root_im = nullptr;
};

/// The largest prime radix of any level; primes above 5 are odd, have no code of their own, and take a multiplication for each
/// pair of elements and result.
inline constexpr std::int64_t kLargestFftRadix = 151;

/// The largest prime radix that takes less time than a convolution.
inline std::int64_t largest_fft_radix(IsaLevel level) {
  return level == IsaLevel::kAvx512 ? kLargestFftRadix : 97;
}

/// A register of numbers.
template <typename T, std::size_t kBytes>
struct FftVector {
  using Type __attribute__((vector_size(kBytes))) = T;
};

template <typename T>
struct FftLoops;

namespace fft_sse2 {
inline constexpr std::size_t kVectorBytes = 16;
#define CORNU_TARGET
#include "cornu/backends/cpu/fft/butterflies_level.inc"
#undef CORNU_TARGET
}  // namespace fft_sse2

namespace fft_avx2 {
inline constexpr std::size_t kVectorBytes = 32;
#define CORNU_TARGET __attribute__((target("avx2,fma")))
#include "cornu/backends/cpu/fft/butterflies_level.inc"
#undef CORNU_TARGET
}  // namespace fft_avx2

namespace fft_avx512 {
inline constexpr std::size_t kVectorBytes = 64;
#ifdef __clang__  // Clang accepts a vector width only as a command line option
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma")))
#else
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma,prefer-vector-width=512")))
#endif
#include "cornu/backends/cpu/fft/butterflies_level.inc"
#undef CORNU_TARGET
}  // namespace fft_avx512

template <typename T>
struct FftLoops {
  void (*radix2)(const FftStage<T>&) = nullptr;
  void (*radix3)(const FftStage<T>&) = nullptr;
  void (*radix4)(const FftStage<T>&) = nullptr;
  void (*radix5)(const FftStage<T>&) = nullptr;
  void (*radix8)(const FftStage<T>&) = nullptr;
  void (*any_radix)(const FftStage<T>&) = nullptr;
  /// (re, im) *= (factor_re, factor_im) element by element of n, each for `lanes` lanes; times `scale`.
  void (*multiply)(std::int64_t n, std::int64_t lanes, T* re, T* im, const T* factor_re, const T* factor_im,
                   T scale) = nullptr;
  /// Parts of interleaved complex numbers, and back.
  void (*separate_pairs)(std::int64_t count, const T* pairs, T* re, T* im) = nullptr;
  void (*join_pairs)(std::int64_t count, const T* re, const T* im, T scale, T* pairs) = nullptr;
  void (*scale_row)(std::int64_t count, const T* from, T scale, T* to) = nullptr;
  /// 64 / sizeof(T) rows and columns.
  void (*transpose_square)(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride) = nullptr;
  /// to[k * stride + q] = (re, im)[k * lanes + q] * factor[k * stride + q].
  void (*multiply_rows)(std::int64_t rows, std::int64_t lanes, const T* re, const T* im, const T* factor_re,
                        const T* factor_im, std::int64_t stride, T* to_re, T* to_im) = nullptr;
  /// From the transform of m complex numbers to that of the 2 m real numbers that are their parts, and back; the
  /// roots are those of 2 m.
  void (*unpack_real)(std::int64_t m, std::int64_t lanes, const T* re, const T* im, const T* root_re,
                      const T* root_im, T* to_re, T* to_im) = nullptr;
  void (*pack_real)(std::int64_t m, std::int64_t lanes, const T* re, const T* im, const T* root_re,
                    const T* root_im, T* to_re, T* to_im) = nullptr;
};

template <typename T>
FftLoops<T> fft_loops(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: break;
    case IsaLevel::kAvx2: return fft_avx2::loops<T>();
    case IsaLevel::kAvx512: {
      FftLoops<T> loops = fft_avx512::loops<T>();
      loops.transpose_square = &kernels::transpose_square_avx512;
      return loops;
    }
  }
  return fft_sse2::loops<T>();
}

}  // namespace cornu::inline v0::backends::cpu
