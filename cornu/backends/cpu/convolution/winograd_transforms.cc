#include "cornu/backends/cpu/convolution/winograd_transforms.h"

#include <immintrin.h>

#include <algorithm>

namespace cornu::inline v0::backends::cpu::winograd {
namespace {

// The points of m = 4 besides 0 and infinity, and the reciprocal of the value of b^T's row at its point.
constexpr float kP = 0.625F, kQ = 1.5F;
constexpr float kScale0 = 1 / (kP * kP * kQ * kQ), kScaleP = 1 / (2 * kP * kP * (kP * kP - kQ * kQ)),
                kScaleQ = 1 / (2 * kQ * kQ * (kQ * kQ - kP * kP));

namespace sse2 {

#define CORNU_TARGET
using Vector = __m128;
constexpr std::int64_t kLanes = 4;
inline Vector load(const float* p) { return _mm_loadu_ps(p); }
inline void store(float* p, Vector x) { _mm_storeu_ps(p, x); }
inline Vector load_part(const float* p, std::int64_t n) {
  alignas(16) float part[4] = {};
  std::copy_n(p, n, part);
  return _mm_load_ps(part);
}
inline void store_part(float* p, Vector x, std::int64_t n) {
  alignas(16) float part[4];
  _mm_store_ps(part, x);
  std::copy_n(part, n, p);
}
inline Vector broadcast(float x) { return _mm_set1_ps(x); }
inline Vector add(Vector x, Vector y) { return _mm_add_ps(x, y); }
inline Vector subtract(Vector x, Vector y) { return _mm_sub_ps(x, y); }
inline Vector multiply(Vector x, Vector y) { return _mm_mul_ps(x, y); }
inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm_add_ps(_mm_mul_ps(x, y), z); }
inline Vector subtract_product(Vector x, Vector y, Vector z) { return _mm_sub_ps(z, _mm_mul_ps(x, y)); }
#include "cornu/backends/cpu/convolution/winograd_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

namespace avx2 {

#define CORNU_TARGET __attribute__((target("avx2,fma")))
using Vector = __m256;
constexpr std::int64_t kLanes = 8;
CORNU_TARGET inline __m256i first(std::int64_t n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
CORNU_TARGET inline Vector load(const float* p) { return _mm256_loadu_ps(p); }
CORNU_TARGET inline void store(float* p, Vector x) { _mm256_storeu_ps(p, x); }
CORNU_TARGET inline Vector load_part(const float* p, std::int64_t n) {
  return _mm256_maskload_ps(p, first(n));
}
CORNU_TARGET inline void store_part(float* p, Vector x, std::int64_t n) {
  _mm256_maskstore_ps(p, first(n), x);
}
CORNU_TARGET inline Vector broadcast(float x) { return _mm256_set1_ps(x); }
CORNU_TARGET inline Vector add(Vector x, Vector y) { return _mm256_add_ps(x, y); }
CORNU_TARGET inline Vector subtract(Vector x, Vector y) { return _mm256_sub_ps(x, y); }
CORNU_TARGET inline Vector multiply(Vector x, Vector y) { return _mm256_mul_ps(x, y); }
CORNU_TARGET inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm256_fmadd_ps(x, y, z); }
CORNU_TARGET inline Vector subtract_product(Vector x, Vector y, Vector z) {
  return _mm256_fnmadd_ps(x, y, z);
}
#include "cornu/backends/cpu/convolution/winograd_level.inc"
#undef CORNU_TARGET

}  // namespace avx2

namespace avx512 {

#define CORNU_TARGET __attribute__((target("avx512f,avx2,fma")))
using Vector = __m512;
constexpr std::int64_t kLanes = 16;
CORNU_TARGET inline __mmask16 first(std::int64_t n) { return static_cast<__mmask16>((1U << n) - 1U); }
CORNU_TARGET inline Vector load(const float* p) { return _mm512_loadu_ps(p); }
CORNU_TARGET inline void store(float* p, Vector x) { _mm512_storeu_ps(p, x); }
CORNU_TARGET inline Vector load_part(const float* p, std::int64_t n) {
  return _mm512_maskz_loadu_ps(first(n), p);
}
CORNU_TARGET inline void store_part(float* p, Vector x, std::int64_t n) {
  _mm512_mask_storeu_ps(p, first(n), x);
}
CORNU_TARGET inline Vector broadcast(float x) { return _mm512_set1_ps(x); }
CORNU_TARGET inline Vector add(Vector x, Vector y) { return _mm512_add_ps(x, y); }
CORNU_TARGET inline Vector subtract(Vector x, Vector y) { return _mm512_sub_ps(x, y); }
CORNU_TARGET inline Vector multiply(Vector x, Vector y) { return _mm512_mul_ps(x, y); }
CORNU_TARGET inline Vector multiply_add(Vector x, Vector y, Vector z) { return _mm512_fmadd_ps(x, y, z); }
CORNU_TARGET inline Vector subtract_product(Vector x, Vector y, Vector z) {
  return _mm512_fnmadd_ps(x, y, z);
}
#include "cornu/backends/cpu/convolution/winograd_level.inc"
#undef CORNU_TARGET

}  // namespace avx512

}  // namespace

const Transforms& transforms(IsaLevel level, int outputs, int axes) {
  switch (level) {
    case IsaLevel::kSse2: return sse2::transforms_of(outputs, axes);
    case IsaLevel::kAvx2: return avx2::transforms_of(outputs, axes);
    case IsaLevel::kAvx512: break;
  }
  return avx512::transforms_of(outputs, axes);
}

}  // namespace cornu::inline v0::backends::cpu::winograd
