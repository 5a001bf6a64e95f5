#include "cornu/backends/cpu/convolution/thin_dots.h"

#include <immintrin.h>

#include <algorithm>

namespace cornu::inline v0::backends::cpu::thin {
namespace {

namespace sse2 {

#define CORNU_TARGET
using Vector = __m128;
constexpr std::int64_t kLanes = 4;
constexpr int kMostSums = 8;
inline Vector load(const float* p) { return _mm_loadu_ps(p); }
inline Vector load_part(const float* p, std::int64_t n) {
  alignas(16) float part[4] = {};
  std::copy_n(p, n, part);
  return _mm_load_ps(part);
}
inline Vector zero() { return _mm_setzero_ps(); }
inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm_add_ps(_mm_mul_ps(x, y), z); }
inline __m128 fold(Vector x) { return x; }
inline __m128 sums(__m128 a, __m128 b, __m128 c, __m128 d) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  return _mm_add_ps(_mm_add_ps(a, b), _mm_add_ps(c, d));
}
#include "cornu/backends/cpu/convolution/thin_dots_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

namespace avx2 {

#define CORNU_TARGET __attribute__((target("avx2,fma")))
using Vector = __m256;
constexpr std::int64_t kLanes = 8;
constexpr int kMostSums = 8;
CORNU_TARGET inline Vector load(const float* p) { return _mm256_loadu_ps(p); }
CORNU_TARGET inline Vector load_part(const float* p, std::int64_t n) {
  const __m256i first =
      _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  return _mm256_maskload_ps(p, first);
}
CORNU_TARGET inline Vector zero() { return _mm256_setzero_ps(); }
CORNU_TARGET inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm256_fmadd_ps(x, y, z); }
CORNU_TARGET inline __m128 fold(Vector x) {
  return _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
}
CORNU_TARGET inline __m128 sums(__m128 a, __m128 b, __m128 c, __m128 d) {
  return _mm_hadd_ps(_mm_hadd_ps(a, b), _mm_hadd_ps(c, d));
}
#include "cornu/backends/cpu/convolution/thin_dots_level.inc"
#undef CORNU_TARGET

}  // namespace avx2

namespace avx512 {

#define CORNU_TARGET __attribute__((target("avx512f,avx2,fma")))
using Vector = __m512;
constexpr std::int64_t kLanes = 16;
constexpr int kMostSums = 16;
CORNU_TARGET inline Vector load(const float* p) { return _mm512_loadu_ps(p); }
CORNU_TARGET inline Vector load_part(const float* p, std::int64_t n) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << n) - 1U), p);
}
CORNU_TARGET inline Vector zero() { return _mm512_setzero_ps(); }
CORNU_TARGET inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm512_fmadd_ps(x, y, z); }
CORNU_TARGET inline __m128 fold(Vector x) {
  // With masks, because GCC 12 warns of its own header without.
  const __m512d whole = _mm512_castps_pd(x);
  const __m256 half = _mm256_add_ps(_mm256_castpd_ps(_mm512_maskz_extractf64x4_pd(0xf, whole, 0)),
                                    _mm256_castpd_ps(_mm512_maskz_extractf64x4_pd(0xf, whole, 1)));
  return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}
CORNU_TARGET inline __m128 sums(__m128 a, __m128 b, __m128 c, __m128 d) {
  return _mm_hadd_ps(_mm_hadd_ps(a, b), _mm_hadd_ps(c, d));
}
#include "cornu/backends/cpu/convolution/thin_dots_level.inc"
#undef CORNU_TARGET

}  // namespace avx512

}  // namespace

void dots(IsaLevel level, std::int64_t features, const Dots& d) {
  switch (level) {
    case IsaLevel::kSse2: return sse2::dots_of(features, d);
    case IsaLevel::kAvx2: return avx2::dots_of(features, d);
    case IsaLevel::kAvx512: return avx512::dots_of(features, d);
  }
}

}  // namespace cornu::inline v0::backends::cpu::thin
