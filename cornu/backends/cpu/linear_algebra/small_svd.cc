#include "cornu/backends/cpu/linear_algebra/small_svd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cornu/backends/cpu/linear_algebra/vectors.h"

namespace cornu::inline v0::backends::cpu {
namespace {

namespace svd_sse2 {
#define CORNU_TARGET
constexpr int kRegisterBytes = 16;
#include "cornu/backends/cpu/linear_algebra/small_svd_level.inc"
#undef CORNU_TARGET
}  // namespace svd_sse2

namespace svd_avx2 {
#define CORNU_TARGET __attribute__((target("avx2,fma")))
constexpr int kRegisterBytes = 32;
#include "cornu/backends/cpu/linear_algebra/small_svd_level.inc"
#undef CORNU_TARGET
}  // namespace svd_avx2

namespace svd_avx512 {
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
constexpr int kRegisterBytes = 64;
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

std::int64_t small_svd_work(std::int64_t rows, std::int64_t columns) {
  return (rows + columns) * columns * kMostRegisterLanes;
}

std::uint32_t small_svds(IsaLevel level, const SmallSvds<float>& matrices) {
  return decompose(level, matrices);
}
std::uint32_t small_svds(IsaLevel level, const SmallSvds<double>& matrices) {
  return decompose(level, matrices);
}

}  // namespace cornu::inline v0::backends::cpu
