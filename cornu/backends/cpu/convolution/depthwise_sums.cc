#include "cornu/backends/cpu/convolution/depthwise_sums.h"

#include "cornu/backends/cpu/kernels/float_vectors.h"

namespace cornu::inline v0::backends::cpu::depthwise {
namespace {

namespace sse2 {

using namespace vectors::sse2;
#define CORNU_TARGET CORNU_TARGET_SSE2
constexpr int kMostSums = 10, kMostResults = 7;
#include "cornu/backends/cpu/convolution/depthwise_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

namespace avx2 {

using namespace vectors::avx2;
#define CORNU_TARGET CORNU_TARGET_AVX2
constexpr int kMostSums = 10, kMostResults = 7;
#include "cornu/backends/cpu/convolution/depthwise_level.inc"
#undef CORNU_TARGET

}  // namespace avx2

namespace avx512 {

using namespace vectors::avx512;
#define CORNU_TARGET CORNU_TARGET_AVX512
constexpr int kMostSums = 25, kMostResults = 14;
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
