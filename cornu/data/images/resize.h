#pragma once

#include <cstddef>
#include <cstdint>

#include "cornu/base/resampling.h"

namespace cornu::inline v0::data {

/// Part of an image whose rows are `row_stride` elements apart.
template <typename T>
struct ImageView {
  const T* pixels = nullptr;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::int64_t row_stride = 0;
};

/// Destination of a resized image: `height` x `width` pixels in rows that are `row_stride` elements apart.
template <typename T>
struct ImageTarget {
  T* pixels = nullptr;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t row_stride = 0;
};

/// Resizes with weights along rows, then along columns.
template <typename T>
void resize_into(const ImageView<T>& image, const ResampleOptions& options, const ImageTarget<float>& to);
/// Resizes by nearest pixels.
template <typename T>
void resize_nearest_into(const ImageView<T>& image, const ImageTarget<T>& to);

}  // namespace cornu::inline v0::data
