#include "cornu/backends/cpu/linear_algebra/small_svd.h"

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cornu/backends/cpu/linear_algebra/vectors.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kMostLanes = 16;

namespace svd_sse2 {
#define CORNU_TARGET
constexpr int kRegisterBytes = 16;
inline Vectors<float, 16>::Type root(Vectors<float, 16>::Type x) { return _mm_sqrt_ps(x); }
inline Vectors<double, 16>::Type root(Vectors<double, 16>::Type x) { return _mm_sqrt_pd(x); }
#include "cornu/backends/cpu/linear_algebra/small_svd_level.inc"
#undef CORNU_TARGET
}  // namespace svd_sse2

namespace svd_avx2 {
#define CORNU_TARGET __attribute__((target("avx2,fma")))
constexpr int kRegisterBytes = 32;
CORNU_TARGET inline Vectors<float, 32>::Type root(Vectors<float, 32>::Type x) { return _mm256_sqrt_ps(x); }
CORNU_TARGET inline Vectors<double, 32>::Type root(Vectors<double, 32>::Type x) { return _mm256_sqrt_pd(x); }
#include "cornu/backends/cpu/linear_algebra/small_svd_level.inc"
#undef CORNU_TARGET
}  // namespace svd_avx2

namespace svd_avx512 {
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
constexpr int kRegisterBytes = 64;
// Masked, because GCC 12 warns of its own intrinsics without a mask.
CORNU_TARGET inline Vectors<float, 64>::Type root(Vectors<float, 64>::Type x) {
  return _mm512_maskz_sqrt_ps(0xFFFF, x);
}
CORNU_TARGET inline Vectors<double, 64>::Type root(Vectors<double, 64>::Type x) {
  return _mm512_maskz_sqrt_pd(0xFF, x);
}
#include "cornu/backends/cpu/linear_algebra/small_svd_level.inc"
#undef CORNU_TARGET
}  // namespace svd_avx512

template <typename T>
std::uint32_t decompose(IsaLevel level, const SmallSvds<T>& matrices) {
  switch (level) {
    case IsaLevel::kSse2: return svd_sse2::Rotations<T>(matrices).run();
    case IsaLevel::kAvx2: return svd_avx2::Rotations<T>(matrices).run();
    case IsaLevel::kAvx512: break;
  }
  return svd_avx512::Rotations<T>(matrices).run();
}

}  // namespace

std::int64_t small_svd_lanes(IsaLevel level, bool is_f64) {
  const std::int64_t of_f32 = level == IsaLevel::kSse2 ? 4 : level == IsaLevel::kAvx2 ? 8 : kMostLanes;
  return is_f64 ? of_f32 / 2 : of_f32;
}

std::int64_t small_svd_work(std::int64_t rows, std::int64_t columns) {
  return (rows + columns) * columns * kMostLanes;
}

std::uint32_t small_svds(IsaLevel level, const SmallSvds<float>& matrices) {
  return decompose(level, matrices);
}
std::uint32_t small_svds(IsaLevel level, const SmallSvds<double>& matrices) {
  return decompose(level, matrices);
}

}  // namespace cornu::inline v0::backends::cpu
