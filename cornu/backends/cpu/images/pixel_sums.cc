#include "cornu/backends/cpu/images/pixel_sums.h"

#include <algorithm>

namespace cornu::inline v0::backends::cpu::images {
namespace {

// Elements of float arrays, in vectors; GCC and Clang have operators for them.
using Four = float __attribute__((vector_size(16), aligned(4), may_alias));
using Eight = float __attribute__((vector_size(32), aligned(4), may_alias));
using Sixteen = float __attribute__((vector_size(64), aligned(4), may_alias));

namespace sums_sse2 {
#define CORNU_TARGET
using Lanes = Four;
#include "cornu/backends/cpu/images/pixel_sums_level.inc"
#undef CORNU_TARGET
}  // namespace sums_sse2

namespace sums_avx2 {
#define CORNU_TARGET __attribute__((target("avx2,fma")))
using Lanes = Eight;
#include "cornu/backends/cpu/images/pixel_sums_level.inc"
#undef CORNU_TARGET
}  // namespace sums_avx2

namespace sums_avx512 {
#define CORNU_TARGET __attribute__((target("avx512f,avx512vl,avx2,fma")))
using Lanes = Sixteen;
#include "cornu/backends/cpu/images/pixel_sums_level.inc"
#undef CORNU_TARGET
}  // namespace sums_avx512

/// Calls the function of the level's namespace.
#define CORNU_BY_LEVEL(level, call)                   \
  switch (level) {                                    \
    case IsaLevel::kSse2: return sums_sse2::call;     \
    case IsaLevel::kAvx2: return sums_avx2::call;     \
    case IsaLevel::kAvx512: return sums_avx512::call; \
  }

}  // namespace

void add_rows(IsaLevel level, const RowSum& sum) { CORNU_BY_LEVEL(level, sum_rows(sum)) }
void add_pixels(IsaLevel level, const PixelSum& sum) { CORNU_BY_LEVEL(level, sum_pixels(sum)) }

#undef CORNU_BY_LEVEL

}  // namespace cornu::inline v0::backends::cpu::images
