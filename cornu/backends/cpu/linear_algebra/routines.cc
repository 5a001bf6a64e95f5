#include "cornu/backends/cpu/linear_algebra/routines.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {

namespace {

/// Functions of AVX-512, and of AVX2 where there are no others.
template <typename T>
LinearAlgebra<T> with_spectra(LinearAlgebra<T> functions, const LinearAlgebra<T>& avx2) {
  functions.eigh = avx2.eigh;
  functions.svd = avx2.svd;
  return functions;
}

}  // namespace

template <>
const LinearAlgebra<float>& linear_algebra(IsaLevel level) {
  CORNU_CHECK(has_f32_decompositions(level), "decompositions of f32 for {}", isa_level_name(level));
  if (level == IsaLevel::kAvx2) return linear_algebra_avx2::kFloat;
  static const LinearAlgebra<float> functions =
      with_spectra(linear_algebra_avx512::kFloat, linear_algebra_avx2::kFloat);
  return functions;
}

template <>
const LinearAlgebra<double>& linear_algebra(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: break;
    case IsaLevel::kAvx2: return linear_algebra_avx2::kDouble;
    case IsaLevel::kAvx512: {
      static const LinearAlgebra<double> functions =
          with_spectra(linear_algebra_avx512::kDouble, linear_algebra_avx2::kDouble);
      return functions;
    }
  }
  return linear_algebra_sse2::kDouble;
}

template <>
const LinearAlgebra<std::complex<double>>& linear_algebra(IsaLevel) {
  return linear_algebra_complex::kComplex;
}

}  // namespace cornu::inline v0::backends::cpu
