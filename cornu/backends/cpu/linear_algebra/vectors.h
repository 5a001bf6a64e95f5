#pragma once

#include <immintrin.h>

#include <cstdint>

#include "cornu/base/cpu_info.h"

/// Registers of floats as vectors, for code that is compiled for each instruction set level; GCC and Clang have
/// operators for them. They may be read and written at any address of an element.
namespace cornu::inline v0::backends::cpu {

template <typename T, int kBytes>
struct Vectors;
template <>
struct Vectors<float, 16> {
  using Type = float __attribute__((vector_size(16), aligned(4), may_alias));
};
template <>
struct Vectors<float, 32> {
  using Type = float __attribute__((vector_size(32), aligned(4), may_alias));
};
template <>
struct Vectors<float, 64> {
  using Type = float __attribute__((vector_size(64), aligned(4), may_alias));
};
template <>
struct Vectors<double, 16> {
  using Type = double __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct Vectors<double, 32> {
  using Type = double __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct Vectors<double, 64> {
  using Type = double __attribute__((vector_size(64), aligned(8), may_alias));
};

/// The number of floats, or doubles, in a register.
inline std::int64_t num_register_lanes(IsaLevel level, bool is_f64) {
  const std::int64_t of_f32 = level == IsaLevel::kSse2 ? 4 : level == IsaLevel::kAvx2 ? 8 : 16;
  return is_f64 ? of_f32 / 2 : of_f32;
}
inline constexpr std::int64_t kMostRegisterLanes = 16;

/// The square roots of a register's elements.
inline Vectors<float, 16>::Type root(Vectors<float, 16>::Type x) { return _mm_sqrt_ps(x); }
inline Vectors<double, 16>::Type root(Vectors<double, 16>::Type x) { return _mm_sqrt_pd(x); }
__attribute__((target("avx"))) inline Vectors<float, 32>::Type root(Vectors<float, 32>::Type x) {
  return _mm256_sqrt_ps(x);
}
__attribute__((target("avx"))) inline Vectors<double, 32>::Type root(Vectors<double, 32>::Type x) {
  return _mm256_sqrt_pd(x);
}
// Masked, because GCC 12 warns of its own intrinsics without a mask.
__attribute__((target("avx512f"))) inline Vectors<float, 64>::Type root(Vectors<float, 64>::Type x) {
  return _mm512_maskz_sqrt_ps(0xFFFF, x);
}
__attribute__((target("avx512f"))) inline Vectors<double, 64>::Type root(Vectors<double, 64>::Type x) {
  return _mm512_maskz_sqrt_pd(0xFF, x);
}

}  // namespace cornu::inline v0::backends::cpu
