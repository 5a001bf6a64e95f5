#include "cornu/backends/cpu/linear_algebra/lu_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cornu/backends/cpu/linear_algebra/vectors.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kPanel = 32;  // columns

namespace lu_sse2 {
#define CORNU_TARGET
constexpr int kRegisterBytes = 16, kTileRows = 6;
#include "cornu/backends/cpu/linear_algebra/lu_blocks_level.inc"
#undef CORNU_TARGET
}  // namespace lu_sse2

namespace lu_avx2 {
#define CORNU_TARGET __attribute__((target("avx2,fma")))
constexpr int kRegisterBytes = 32, kTileRows = 6;
#include "cornu/backends/cpu/linear_algebra/lu_blocks_level.inc"
#undef CORNU_TARGET
}  // namespace lu_avx2

namespace lu_avx512 {
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
constexpr int kRegisterBytes = 64, kTileRows = 12;
#include "cornu/backends/cpu/linear_algebra/lu_blocks_level.inc"
#undef CORNU_TARGET
}  // namespace lu_avx512

template <typename T>
void decompose(IsaLevel level, std::int64_t rows, std::int64_t columns, T* a, std::int32_t* pivots) {
  switch (level) {
    case IsaLevel::kSse2: return lu_sse2::Blocks<T>(rows, columns, a, pivots).run();
    case IsaLevel::kAvx2: return lu_avx2::Blocks<T>(rows, columns, a, pivots).run();
    case IsaLevel::kAvx512: return lu_avx512::Blocks<T>(rows, columns, a, pivots).run();
  }
}

}  // namespace

void lu_by_blocks(IsaLevel level, std::int64_t rows, std::int64_t columns, float* a, std::int32_t* pivots) {
  decompose(level, rows, columns, a, pivots);
}
void lu_by_blocks(IsaLevel level, std::int64_t rows, std::int64_t columns, double* a, std::int32_t* pivots) {
  decompose(level, rows, columns, a, pivots);
}

}  // namespace cornu::inline v0::backends::cpu
