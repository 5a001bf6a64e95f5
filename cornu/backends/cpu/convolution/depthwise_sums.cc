#include "cornu/backends/cpu/convolution/depthwise_sums.h"

#include <immintrin.h>

#include <algorithm>

namespace cornu::inline v0::backends::cpu::depthwise {
namespace {

namespace sse2 {

#define CORNU_TARGET
using Vector = __m128;
constexpr std::int64_t kLanes = 4;
constexpr int kMostSums = 10, kMostResults = 7;
inline Vector load(const float* p) { return _mm_loadu_ps(p); }
inline Vector load_part(const float* p, std::int64_t n) {
  alignas(16) float part[4] = {};
  std::copy_n(p, n, part);
  return _mm_load_ps(part);
}
inline void store(float* p, Vector x) { _mm_storeu_ps(p, x); }
inline void store_part(float* p, Vector x, std::int64_t n) {
  alignas(16) float part[4];
  _mm_store_ps(part, x);
  std::copy_n(part, n, p);
}
inline Vector zero() { return _mm_setzero_ps(); }
inline Vector add(Vector x, Vector y) { return _mm_add_ps(x, y); }
inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm_add_ps(_mm_mul_ps(x, y), z); }
#include "cornu/backends/cpu/convolution/depthwise_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

namespace avx2 {

#define CORNU_TARGET __attribute__((target("avx2,fma")))
using Vector = __m256;
constexpr std::int64_t kLanes = 8;
constexpr int kMostSums = 10, kMostResults = 7;
CORNU_TARGET inline Vector load(const float* p) { return _mm256_loadu_ps(p); }
CORNU_TARGET inline __m256i first(std::int64_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
CORNU_TARGET inline Vector load_part(const float* p, std::int64_t n) {
  return _mm256_maskload_ps(p, first(n));
}
CORNU_TARGET inline void store(float* p, Vector x) { _mm256_storeu_ps(p, x); }
CORNU_TARGET inline void store_part(float* p, Vector x, std::int64_t n) {
  _mm256_maskstore_ps(p, first(n), x);
}
CORNU_TARGET inline Vector zero() { return _mm256_setzero_ps(); }
CORNU_TARGET inline Vector add(Vector x, Vector y) { return _mm256_add_ps(x, y); }
CORNU_TARGET inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm256_fmadd_ps(x, y, z); }
#include "cornu/backends/cpu/convolution/depthwise_level.inc"
#undef CORNU_TARGET

}  // namespace avx2

namespace avx512 {

#define CORNU_TARGET __attribute__((target("avx512f,avx2,fma")))
using Vector = __m512;
constexpr std::int64_t kLanes = 16;
constexpr int kMostSums = 25, kMostResults = 14;
CORNU_TARGET inline Vector load(const float* p) { return _mm512_loadu_ps(p); }
CORNU_TARGET inline Vector load_part(const float* p, std::int64_t n) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << n) - 1U), p);
}
CORNU_TARGET inline void store(float* p, Vector x) { _mm512_storeu_ps(p, x); }
CORNU_TARGET inline void store_part(float* p, Vector x, std::int64_t n) {
  _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1U << n) - 1U), x);
}
CORNU_TARGET inline Vector zero() { return _mm512_setzero_ps(); }
CORNU_TARGET inline Vector add(Vector x, Vector y) { return _mm512_add_ps(x, y); }
CORNU_TARGET inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm512_fmadd_ps(x, y, z); }
#include "cornu/backends/cpu/convolution/depthwise_level.inc"
#undef CORNU_TARGET

}  // namespace avx512

/// Calls the function of the level's namespace.
#define CORNU_BY_LEVEL(level, call)              \
  switch (level) {                               \
    case IsaLevel::kSse2: return sse2::call;     \
    case IsaLevel::kAvx2: return avx2::call;     \
    case IsaLevel::kAvx512: return avx512::call; \
  }

}  // namespace

std::int64_t num_lanes(IsaLevel level) {
  return level == IsaLevel::kSse2 ? sse2::kLanes : level == IsaLevel::kAvx2 ? avx2::kLanes : avx512::kLanes;
}
void spread(IsaLevel level, const Spread& s) { CORNU_BY_LEVEL(level, spread_pixels(s)) }
void add_line(IsaLevel level, const Line& l) { CORNU_BY_LEVEL(level, line_of(l)) }
void add_weights(IsaLevel level, const WeightSums& w) { CORNU_BY_LEVEL(level, weights_of(w)) }

#undef CORNU_BY_LEVEL

}  // namespace cornu::inline v0::backends::cpu::depthwise
