#include "cornu/backends/cpu/images/samples.h"

#include <algorithm>
#include <cstdlib>

namespace cornu::inline v0::backends::cpu::images {
namespace {

constexpr int kBlock = 64;  // positions that are prepared together

/// The first neighbours of positions: rows and columns, which may be outside of the image; offsets of those whose
/// neighbours can be read as vectors; weights of the four neighbours.
struct alignas(64) Places {
  std::int32_t rows[kBlock], columns[kBlock], offsets[kBlock], is_inside[kBlock];
  float weights[4][kBlock];
};

std::int32_t modulo(std::int32_t x, std::int32_t n) {
  const std::int32_t rest = x % n;
  return rest < 0 ? rest + n : rest;
}

/// `index` is in [-2^30, 2^30], so that no step overflows.
std::int32_t mirrored(std::int32_t index, std::int32_t size) {
  return size == 1 ? 0 : std::abs(modulo(index + size - 1, 2 * (size - 1)) - (size - 1));
}

/// The row or column for an index; -1: the fill value.
std::int32_t moved_inside(std::int32_t index, std::int64_t extent, FillMode mode) {
  const auto size = static_cast<std::int32_t>(extent);
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case FillMode::kConstant: return -1;
    case FillMode::kNearest: return index < 0 ? 0 : size - 1;
    case FillMode::kWrap: return modulo(index, size);
    case FillMode::kMirror: return mirrored(index, size);
    case FillMode::kReflect: break;
  }
  const std::int32_t within = modulo(index, 2 * size);  // the image, then its mirror image
  return within < size ? within : 2 * size - 1 - within;
}

/// Any pixel, channel by channel.
void take_any(const Samples& s, const Places& places, std::int64_t i, float* to) {
  const float* corners[4];
  for (int corner = 0; corner < 4; ++corner) {
    const std::int64_t row = moved_inside(places.rows[i] + corner / 2, s.num_rows, s.fill_mode);
    const std::int64_t column = moved_inside(places.columns[i] + corner % 2, s.num_columns, s.fill_mode);
    corners[corner] = row < 0 || column < 0 ? nullptr : s.image + (row * s.num_columns + column) * s.channels;
  }
  for (std::int64_t c = 0; c < s.channels; ++c) {
    float total = 0;
    for (int k = 0; k < 4; ++k)
      total += (corners[k] == nullptr ? s.fill_value : corners[k][c]) * places.weights[k][i];
    to[c] = total;
  }
}

using Four = float __attribute__((vector_size(16), aligned(4), may_alias));

namespace samples_sse2 {
#define CORNU_TARGET
using Floats = float __attribute__((vector_size(16)));
using Ints = std::int32_t __attribute__((vector_size(16)));
#include "cornu/backends/cpu/images/samples_level.inc"
#undef CORNU_TARGET
}  // namespace samples_sse2

namespace samples_avx2 {
#define CORNU_TARGET __attribute__((target("avx2,fma")))
using Floats = float __attribute__((vector_size(32)));
using Ints = std::int32_t __attribute__((vector_size(32)));
#include "cornu/backends/cpu/images/samples_level.inc"
#undef CORNU_TARGET
}  // namespace samples_avx2

namespace samples_avx512 {
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
using Floats = float __attribute__((vector_size(64)));
using Ints = std::int32_t __attribute__((vector_size(64)));
#include "cornu/backends/cpu/images/samples_level.inc"
#undef CORNU_TARGET
}  // namespace samples_avx512

}  // namespace

void take_samples(IsaLevel level, const Samples& samples) {
  switch (level) {
    case IsaLevel::kSse2: return samples_sse2::take(samples);
    case IsaLevel::kAvx2: return samples_avx2::take(samples);
    case IsaLevel::kAvx512: return samples_avx512::take(samples);
  }
}

}  // namespace cornu::inline v0::backends::cpu::images
