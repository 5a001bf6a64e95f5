#include "cornu/data/images/resize.h"

#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::data {
namespace {

/// Weighted sum of rows. Two weights are the most frequent case.
template <typename T>
[[gnu::always_inline]] inline void blend_rows_inline(const T* rows, std::int64_t stride,
                                                     std::span<const float> weights, std::int64_t count,
                                                     float* __restrict to) {
  if (weights.size() == 2) {
    const float first = weights[0], second = weights[1];
    const T* const next = rows + stride;
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = first * static_cast<float>(rows[i]) + second * static_cast<float>(next[i]);
    return;
  }
  std::fill_n(to, count, 0.0F);
  for (const float weight : weights) {
    for (std::int64_t i = 0; i < count; ++i) to[i] += weight * static_cast<float>(rows[i]);
    rows += stride;
  }
}

// Bytes become floats eight at a time where the processor can.
template <typename T>
[[gnu::target("avx2")]] void blend_rows_avx2(const T* rows, std::int64_t stride,
                                             std::span<const float> weights, std::int64_t count, float* to) {
  blend_rows_inline(rows, stride, weights, count, to);
}

template <typename T>
void blend_rows(const T* rows, std::int64_t stride, std::span<const float> weights, std::int64_t count,
                float* to) {
  if (cpu_isa_level() >= IsaLevel::kAvx2) return blend_rows_avx2(rows, stride, weights, count, to);
  blend_rows_inline(rows, stride, weights, count, to);
}

using Four = float __attribute__((vector_size(16)));

Four load_four(const float* from) {
  Four four;
  std::memcpy(&four, from, sizeof four);
  return four;
}

/// Computes the pixels of one line. `line` must have kSpare more floats after its end: pixels are read four
/// channels at a time, and written so if another pixel follows.
constexpr std::size_t kSpare = 4;
template <int kChannels, int kTaps>
void blend_pixels(const float* line, const ResampleTaps& taps, float* to) {
  const std::size_t count = taps.first.size();
  const std::int64_t num_taps = kTaps > 0 ? kTaps : taps.num_taps;
  for (std::size_t x = 0; x < count; ++x, to += kChannels) {
    const float* from = line + taps.first[x] * kChannels;
    const float* const weights = taps.weights.data() + x * static_cast<std::size_t>(num_taps);
    Four sum = {};
    for (std::int64_t k = 0; k < num_taps; ++k, from += kChannels) sum += weights[k] * load_four(from);
    std::memcpy(to, &sum, (x + kSpare <= count ? 4 : kChannels) * sizeof(float));
  }
}

/// blend_pixels for three channels and two weights a pixel, two pixels at a time: the same products and sums
/// in the same order.
[[gnu::target("avx2")]] void blend_rgb_avx2(const float* line, const ResampleTaps& taps, float* to) {
  constexpr int kChannels = 3;
  const std::size_t count = taps.first.size();
  std::size_t x = 0;
  for (; x + 1 + kSpare <= count; x += 2, to += 2 * kChannels) {
    const float *const first = line + taps.first[x] * kChannels, *const second =
                                                                     line + taps.first[x + 1] * kChannels;
    const __m256 here = _mm256_loadu2_m128(second, first);
    const __m256 next = _mm256_loadu2_m128(second + kChannels, first + kChannels);
    // One pixel's weights in the lower half, the other's in the upper half.
    const __m256 weights = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(taps.weights.data() + 2 * x));
    const __m256 of_here = _mm256_permutevar_ps(weights, _mm256_setr_epi32(0, 0, 0, 0, 2, 2, 2, 2));
    const __m256 of_next = _mm256_permutevar_ps(weights, _mm256_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3));
    const __m256 sum = _mm256_add_ps(_mm256_add_ps(_mm256_setzero_ps(), _mm256_mul_ps(of_here, here)),
                                     _mm256_mul_ps(of_next, next));
    _mm_storeu_ps(to, _mm256_castps256_ps128(sum));
    _mm_storeu_ps(to + kChannels, _mm256_extractf128_ps(sum, 1));
  }
  for (; x < count; ++x, to += kChannels) {
    const float* const from = line + taps.first[x] * kChannels;
    for (int c = 0; c < kChannels; ++c) {
      float sum = 0;
      sum += taps.weights[2 * x] * from[c];
      sum += taps.weights[2 * x + 1] * from[c + kChannels];
      to[c] = sum;
    }
  }
}

using BlendPixels = void (*)(const float* line, const ResampleTaps& taps, float* to);
BlendPixels blend_pixels_of(std::int64_t channels, std::int64_t num_taps) {
  constexpr BlendPixels kAny[] = {blend_pixels<1, 0>, blend_pixels<2, 0>, blend_pixels<3, 0>,
                                  blend_pixels<4, 0>};
  constexpr BlendPixels kTwo[] = {blend_pixels<1, 2>, blend_pixels<2, 2>, blend_pixels<3, 2>,
                                  blend_pixels<4, 2>};
  if (channels == 3 && num_taps == 2 && cpu_isa_level() >= IsaLevel::kAvx2) return blend_rgb_avx2;
  return (num_taps == 2 ? kTwo : kAny)[channels - 1];
}

}  // namespace

template <typename T>
void resize_into(const ImageView<T>& image, const ResampleOptions& options, const ImageTarget<float>& to) {
  const ResampleTaps down = resample_taps(image.height, to.height, options);
  const ResampleTaps across = resample_taps(image.width, to.width, options);
  const BlendPixels blend = blend_pixels_of(image.channels, across.num_taps);
  std::vector<float> line(static_cast<std::size_t>(image.width * image.channels) + kSpare);
  for (std::int64_t y = 0; y < to.height; ++y) {
    const auto row = static_cast<std::size_t>(y);
    blend_rows(image.pixels + down.first[row] * image.row_stride, image.row_stride, down.weights_of(row),
               image.width * image.channels, line.data());
    blend(line.data(), across, to.pixels + y * to.row_stride);
  }
}

template <typename T>
void resize_nearest_into(const ImageView<T>& image, const ImageTarget<T>& to) {
  const ResampleOptions options{.method = ResampleMethod::kNearest};
  const ResampleTaps down = resample_taps(image.height, to.height, options);
  const ResampleTaps across = resample_taps(image.width, to.width, options);
  for (std::int64_t y = 0; y < to.height; ++y) {
    const T* const row = image.pixels + down.first[static_cast<std::size_t>(y)] * image.row_stride;
    T* pixel = to.pixels + y * to.row_stride;
    for (const std::int64_t x : across.first)
      pixel = std::copy_n(row + x * image.channels, image.channels, pixel);
  }
}

template void resize_into(const ImageView<std::uint8_t>&, const ResampleOptions&, const ImageTarget<float>&);
template void resize_into(const ImageView<float>&, const ResampleOptions&, const ImageTarget<float>&);
template void resize_nearest_into(const ImageView<std::uint8_t>&, const ImageTarget<std::uint8_t>&);
template void resize_nearest_into(const ImageView<float>&, const ImageTarget<float>&);

}  // namespace cornu::inline v0::data
