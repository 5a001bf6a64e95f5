#include "cornu/backends/cpu/convolution/winograd_transforms.h"

#include "cornu/backends/cpu/kernels/float_vectors.h"

namespace cornu::inline v0::backends::cpu::winograd {
namespace {

// The points of m = 4 besides 0 and infinity, and the reciprocal of the value of b^T's row at its point.
constexpr float kP = 0.625F, kQ = 1.5F;
constexpr float kScale0 = 1 / (kP * kP * kQ * kQ), kScaleP = 1 / (2 * kP * kP * (kP * kP - kQ * kQ)),
                kScaleQ = 1 / (2 * kQ * kQ * (kQ * kQ - kP * kP));

namespace sse2 {

using namespace vectors::sse2;
#define CORNU_TARGET CORNU_TARGET_SSE2
#include "cornu/backends/cpu/convolution/winograd_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

namespace avx2 {

using namespace vectors::avx2;
#define CORNU_TARGET CORNU_TARGET_AVX2
#include "cornu/backends/cpu/convolution/winograd_level.inc"
#undef CORNU_TARGET

}  // namespace avx2

namespace avx512 {

using namespace vectors::avx512;
#define CORNU_TARGET CORNU_TARGET_AVX512
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
