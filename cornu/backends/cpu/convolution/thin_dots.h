#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu::thin {

/// Contiguous elements of the operand, and the same number of contiguous weights of each result channel.
struct Segment {
  std::int64_t operand = 0, weights = 0, length = 0;  // offsets and length in floats
};

/// result[i * result_step + f * result_feature] = sum over segments of operand[i * advance ...] weights[f *
/// weights_feature ...].
struct Dots {
  const Segment* segments = nullptr;
  std::int64_t num_segments = 0;
  const float* operand = nullptr;
  std::int64_t advance = 0;
  const float* weights = nullptr;
  std::int64_t weights_feature = 0;
  float* result = nullptr;
  std::int64_t result_step = 0, result_feature = 0;
  std::int64_t count = 0;
};

/// The maximum number of result channels; they share loads of the operand.
inline constexpr std::int64_t kMostFeatures = 4;

/// Sums in lanes, which are added as a tree at the end, so a result's bits do not depend on its neighbours.
/// Threads: safe; allocates nothing.
void dots(IsaLevel level, std::int64_t features, const Dots& d);

}  // namespace cornu::inline v0::backends::cpu::thin
