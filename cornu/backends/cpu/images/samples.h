#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

/// Pixels of images at positions between pixels, for each instruction set level.
namespace cornu::inline v0::backends::cpu::images {

enum class FillMode { kConstant, kNearest, kWrap, kMirror, kReflect };

/// `count` pixels of `channels` floats of one image [num_rows, num_columns, channels] at positions (rows[i], columns[i]),
/// interpolated linearly; see ops::SamplingForm.
struct Samples {
  const float* image = nullptr;
  std::int64_t num_rows = 0, num_columns = 0, channels = 0;
  /// Floats after the image that may be read.
  std::int64_t num_after = 0;
  const float *rows = nullptr, *columns = nullptr;
  std::int64_t count = 0;
  FillMode fill_mode = FillMode::kConstant;
  float fill_value = 0;
  float* to = nullptr;
};

/// Threads: safe; allocates nothing.
void take_samples(IsaLevel level, const Samples& samples);

}  // namespace cornu::inline v0::backends::cpu::images
