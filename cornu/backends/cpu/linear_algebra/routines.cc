#include "cornu/backends/cpu/linear_algebra/routines.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {

namespace {

/// The functions of a level, of which SSE2 may have none.
template <typename T>
const LinearAlgebra<T>& of_level(IsaLevel level, const LinearAlgebra<T>* sse2, const LinearAlgebra<T>& avx2,
                                 const LinearAlgebra<T>& avx512) {
  if (level == IsaLevel::kAvx512) return avx512;
  if (level == IsaLevel::kAvx2) return avx2;
  CORNU_CHECK(sse2 != nullptr, "decompositions of 32 bits for {}", isa_level_name(level));
  return *sse2;
}

}  // namespace

template <>
const LinearAlgebra<float>& linear_algebra(IsaLevel level) {
  return of_level<float>(level, nullptr, planar_avx2::kFloat, planar_avx512::kFloat);
}

template <>
const LinearAlgebra<double>& linear_algebra(IsaLevel level) {
  return of_level(level, &planar_sse2::kDouble, planar_avx2::kDouble, planar_avx512::kDouble);
}

template <>
const LinearAlgebra<std::complex<float>>& linear_algebra(IsaLevel level) {
  return of_level<std::complex<float>>(level, nullptr, planar_avx2::kComplexFloat,
                                       planar_avx512::kComplexFloat);
}

template <>
const LinearAlgebra<std::complex<double>>& linear_algebra(IsaLevel level) {
  return of_level(level, &planar_sse2::kComplexDouble, planar_avx2::kComplexDouble,
                  planar_avx512::kComplexDouble);
}

}  // namespace cornu::inline v0::backends::cpu
