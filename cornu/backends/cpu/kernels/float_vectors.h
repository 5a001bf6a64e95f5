#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstdint>

/// Vectors of f32 of each instruction set level under the same names, for kernels that are written once (in an .inc) and
/// compiled for each level: `namespace avx2 { using namespace vectors::avx2; ... #include "..._level.inc" }`.
///   load_part(p, n), store_part(p, x, n): the first n < kLanes elements; the others are read as zeros
///   multiply_add(x, y, z): x * y + z     subtract_product(x, y, z): z - x * y
namespace cornu::inline v0::backends::cpu::vectors {

#define CORNU_TARGET_SSE2
#define CORNU_TARGET_AVX2 __attribute__((target("avx2,fma")))
#define CORNU_TARGET_AVX512 __attribute__((target("avx512f,avx2,fma")))

namespace sse2 {

using Vector = __m128;
inline constexpr std::int64_t kLanes = 4;
inline Vector zero() { return _mm_setzero_ps(); }
inline Vector broadcast(float x) { return _mm_set1_ps(x); }
inline Vector load(const float* p) { return _mm_loadu_ps(p); }
inline void store(float* p, Vector x) { _mm_storeu_ps(p, x); }
inline Vector load_part(const float* p, std::int64_t n) {
  alignas(16) float part[kLanes] = {};
  std::copy_n(p, n, part);
  return _mm_load_ps(part);
}
inline void store_part(float* p, Vector x, std::int64_t n) {
  alignas(16) float part[kLanes];
  _mm_store_ps(part, x);
  std::copy_n(part, n, p);
}
inline Vector add(Vector x, Vector y) { return _mm_add_ps(x, y); }
inline Vector subtract(Vector x, Vector y) { return _mm_sub_ps(x, y); }
inline Vector multiply(Vector x, Vector y) { return _mm_mul_ps(x, y); }
inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm_add_ps(_mm_mul_ps(x, y), z); }
inline Vector subtract_product(Vector x, Vector y, Vector z) { return _mm_sub_ps(z, _mm_mul_ps(x, y)); }

}  // namespace sse2

namespace avx2 {

using Vector = __m256;
inline constexpr std::int64_t kLanes = 8;
CORNU_TARGET_AVX2 inline __m256i first(std::int64_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
CORNU_TARGET_AVX2 inline Vector zero() { return _mm256_setzero_ps(); }
CORNU_TARGET_AVX2 inline Vector broadcast(float x) { return _mm256_set1_ps(x); }
CORNU_TARGET_AVX2 inline Vector load(const float* p) { return _mm256_loadu_ps(p); }
CORNU_TARGET_AVX2 inline void store(float* p, Vector x) { _mm256_storeu_ps(p, x); }
CORNU_TARGET_AVX2 inline Vector load_part(const float* p, std::int64_t n) {
  return _mm256_maskload_ps(p, first(n));
}
CORNU_TARGET_AVX2 inline void store_part(float* p, Vector x, std::int64_t n) {
  _mm256_maskstore_ps(p, first(n), x);
}
CORNU_TARGET_AVX2 inline Vector add(Vector x, Vector y) { return _mm256_add_ps(x, y); }
CORNU_TARGET_AVX2 inline Vector subtract(Vector x, Vector y) { return _mm256_sub_ps(x, y); }
CORNU_TARGET_AVX2 inline Vector multiply(Vector x, Vector y) { return _mm256_mul_ps(x, y); }
CORNU_TARGET_AVX2 inline Vector multiply_add(Vector x, Vector y, Vector z) {
  return _mm256_fmadd_ps(x, y, z);
}
CORNU_TARGET_AVX2 inline Vector subtract_product(Vector x, Vector y, Vector z) {
  return _mm256_fnmadd_ps(x, y, z);
}

}  // namespace avx2

namespace avx512 {

using Vector = __m512;
inline constexpr std::int64_t kLanes = 16;
CORNU_TARGET_AVX512 inline __mmask16 first(std::int64_t n) { return static_cast<__mmask16>((1U << n) - 1U); }
CORNU_TARGET_AVX512 inline Vector zero() { return _mm512_setzero_ps(); }
CORNU_TARGET_AVX512 inline Vector broadcast(float x) { return _mm512_set1_ps(x); }
CORNU_TARGET_AVX512 inline Vector load(const float* p) { return _mm512_loadu_ps(p); }
CORNU_TARGET_AVX512 inline void store(float* p, Vector x) { _mm512_storeu_ps(p, x); }
CORNU_TARGET_AVX512 inline Vector load_part(const float* p, std::int64_t n) {
  return _mm512_maskz_loadu_ps(first(n), p);
}
CORNU_TARGET_AVX512 inline void store_part(float* p, Vector x, std::int64_t n) {
  _mm512_mask_storeu_ps(p, first(n), x);
}
CORNU_TARGET_AVX512 inline Vector add(Vector x, Vector y) { return _mm512_add_ps(x, y); }
CORNU_TARGET_AVX512 inline Vector subtract(Vector x, Vector y) { return _mm512_sub_ps(x, y); }
CORNU_TARGET_AVX512 inline Vector multiply(Vector x, Vector y) { return _mm512_mul_ps(x, y); }
CORNU_TARGET_AVX512 inline Vector multiply_add(Vector x, Vector y, Vector z) {
  return _mm512_fmadd_ps(x, y, z);
}
CORNU_TARGET_AVX512 inline Vector subtract_product(Vector x, Vector y, Vector z) {
  return _mm512_fnmadd_ps(x, y, z);
}

}  // namespace avx512

}  // namespace cornu::inline v0::backends::cpu::vectors
