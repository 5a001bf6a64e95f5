#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

/// The linear maps of Winograd's convolutions with kernels of 3 x 3 taps, channel by channel. They map
/// between m x m result tiles and n x n points, n = m + 2, m = 2 or 4; along one axis: 3 taps, m and n.
///
/// The result is a^T ((g kernel g^T) * (b^T source b)) a, with products element by element and summed over
/// channels. So the kernel's gradient is g^T ((b^T source b) * (a gradient a^T)) g, summed over tiles.
/// Interpolation points are 0, 1, -1 and infinity for m = 2, and 0, +-5/8, +-3/2 and infinity for m = 4: of
/// points with short binary fractions those with the least rounding errors (docs/adr/0012).
namespace cornu::inline v0::backends::cpu::winograd {

inline constexpr int kMaxPoints = 36;  // in a tile
inline constexpr int kMaxTaps = 9;

/// The maps for one instruction set level, one m, and one axis or two. Pixels and points are row-major; the
/// channels of each are contiguous. The comments describe two axes; for one axis replace squares by lines.
/// Threads: safe; they allocate nothing.
struct Transforms {
  int outputs = 0;  // m
  int points = 0;   // n * n, or n
  int taps = 0;     // 9, or 3

  /// points[p * point_stride + c] = (b^T source b)[p] for c < channels, from n x n pixels.
  void (*source)(const float* const* pixels, std::int64_t channels, float* points,
                 std::int64_t point_stride) = nullptr;
  /// pixels[i][c] = (a^T points a)[i], m x m pixels.
  void (*result)(const float* points, std::int64_t point_stride, std::int64_t channels,
                 float* const* pixels) = nullptr;
  /// points = a gradient a^T, from m x m pixels.
  void (*gradient)(const float* const* pixels, std::int64_t channels, float* points,
                   std::int64_t point_stride) = nullptr;
  /// points = g kernel g^T, from 9 taps.
  void (*kernel)(const float* const* taps, std::int64_t channels, float* points,
                 std::int64_t point_stride) = nullptr;
  /// taps = g^T points g
  void (*kernel_gradient)(const float* points, std::int64_t point_stride, std::int64_t channels,
                          float* const* taps) = nullptr;
};

const Transforms& transforms(IsaLevel level, int outputs, int axes);

}  // namespace cornu::inline v0::backends::cpu::winograd
