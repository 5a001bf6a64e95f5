#include "cornu/backends/cpu/linear_algebra/routines.h"

namespace cornu::inline v0::backends::cpu {

template <>
const LinearAlgebra<float>& linear_algebra(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: break;
    case IsaLevel::kAvx2: return linear_algebra_avx2::kFloat;
    case IsaLevel::kAvx512: return linear_algebra_avx512::kFloat;
  }
  return linear_algebra_sse2::kFloat;
}

template <>
const LinearAlgebra<double>& linear_algebra(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: break;
    case IsaLevel::kAvx2: return linear_algebra_avx2::kDouble;
    case IsaLevel::kAvx512: return linear_algebra_avx512::kDouble;
  }
  return linear_algebra_sse2::kDouble;
}

}  // namespace cornu::inline v0::backends::cpu
