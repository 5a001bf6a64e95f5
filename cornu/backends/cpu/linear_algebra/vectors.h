#pragma once

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

}  // namespace cornu::inline v0::backends::cpu
