#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

/// Weighted sums of rows and of pixels of images, for each instruction set level.
namespace cornu::inline v0::backends::cpu::images {

/// Floats that may be read after the last pixel of a line.
inline constexpr std::int64_t kReadAfter = 3;

/// to[j] = sum over k of shares[k] * rows[k][j]. `to` overlaps no row.
struct RowSum {
  const float* const* rows = nullptr;
  const float* shares = nullptr;
  std::int64_t num_taps = 0;
  float* to = nullptr;
  std::int64_t size = 0;
};

/// Pixel i of `to` = sum over k of shares[i * num_taps + k] * the pixel at from + places[i * num_taps + k]. Reads up to
/// kReadAfter floats after a pixel of less than 4 channels.
struct PixelSum {
  const float* from = nullptr;
  const std::int32_t* places = nullptr;  // in floats
  const float* shares = nullptr;         // null: 1 for the single tap
  std::int64_t num_taps = 0, num_pixels = 0, channels = 0;
  float* to = nullptr;
};

/// Threads: these functions are safe and allocate nothing.
void add_rows(IsaLevel level, const RowSum& sum);
void add_pixels(IsaLevel level, const PixelSum& sum);

}  // namespace cornu::inline v0::backends::cpu::images
