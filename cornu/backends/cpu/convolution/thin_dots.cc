#include "cornu/backends/cpu/convolution/thin_dots.h"

#include "cornu/backends/cpu/kernels/float_vectors.h"

namespace cornu::inline v0::backends::cpu::thin {
namespace {

namespace sse2 {

using namespace vectors::sse2;
#define CORNU_TARGET CORNU_TARGET_SSE2
constexpr int kMostSums = 8;
inline __m128 fold(Vector x) { return x; }
inline __m128 sums(__m128 a, __m128 b, __m128 c, __m128 d) {
  _MM_TRANSPOSE4_PS(a, b, c, d);
  return _mm_add_ps(_mm_add_ps(a, b), _mm_add_ps(c, d));
}
#include "cornu/backends/cpu/convolution/thin_dots_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

namespace avx2 {

using namespace vectors::avx2;
#define CORNU_TARGET CORNU_TARGET_AVX2
constexpr int kMostSums = 8;
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

using namespace vectors::avx512;
#define CORNU_TARGET CORNU_TARGET_AVX512
constexpr int kMostSums = 16;
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
