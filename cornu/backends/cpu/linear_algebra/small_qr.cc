#include "cornu/backends/cpu/linear_algebra/small_qr.h"

#include <limits>

#include "cornu/backends/cpu/linear_algebra/vectors.h"

namespace cornu::inline v0::backends::cpu {
namespace {

namespace qr_sse2 {
#define CORNU_TARGET
constexpr int kRegisterBytes = 16;
#include "cornu/backends/cpu/linear_algebra/small_qr_level.inc"
#undef CORNU_TARGET
}  // namespace qr_sse2

namespace qr_avx2 {
#define CORNU_TARGET __attribute__((target("avx2,fma")))
constexpr int kRegisterBytes = 32;
#include "cornu/backends/cpu/linear_algebra/small_qr_level.inc"
#undef CORNU_TARGET
}  // namespace qr_avx2

namespace qr_avx512 {
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
constexpr int kRegisterBytes = 64;
#include "cornu/backends/cpu/linear_algebra/small_qr_level.inc"
#undef CORNU_TARGET
}  // namespace qr_avx512

template <typename T>
void decompose_small(IsaLevel level, const SmallQrs<T>& matrices) {
  switch (level) {
    case IsaLevel::kSse2: return qr_sse2::Reflections<T>(matrices).decompose();
    case IsaLevel::kAvx2: return qr_avx2::Reflections<T>(matrices).decompose();
    case IsaLevel::kAvx512: return qr_avx512::Reflections<T>(matrices).decompose();
  }
}

template <typename T>
void multiply_small(IsaLevel level, const SmallQrs<T>& matrices) {
  switch (level) {
    case IsaLevel::kSse2: return qr_sse2::Reflections<T>(matrices).multiply();
    case IsaLevel::kAvx2: return qr_avx2::Reflections<T>(matrices).multiply();
    case IsaLevel::kAvx512: return qr_avx512::Reflections<T>(matrices).multiply();
  }
}

}  // namespace

std::int64_t small_qr_work(std::int64_t rows, std::int64_t columns) {
  return 2 * rows * columns * kMostRegisterLanes;
}

void small_qrs(IsaLevel level, const SmallQrs<float>& matrices) { decompose_small(level, matrices); }
void small_qrs(IsaLevel level, const SmallQrs<double>& matrices) { decompose_small(level, matrices); }
void small_householder_products(IsaLevel level, const SmallQrs<float>& matrices) {
  multiply_small(level, matrices);
}
void small_householder_products(IsaLevel level, const SmallQrs<double>& matrices) {
  multiply_small(level, matrices);
}

}  // namespace cornu::inline v0::backends::cpu
