#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu::winograd {

/// One number for rows and one for columns. Lines are images of one row.
using Pair = std::array<std::int64_t, 2>;

/// Images with innermost channels; strides in elements.
struct Images {
  Pair extents = {1, 1}, strides = {};
  std::int64_t batch_stride = 0;
};

/// Converts a problem of one axis to two: images of one row.
inline ConvolutionProblem with_two_axes(ConvolutionProblem p) {
  if (p.axes.size() > 1) return p;
  p.axes.insert(p.axes.begin(), ConvolutionAxis{});
  for (ir::Dims* strides : {&p.source_strides, &p.destination_strides})
    strides->insert(strides->begin() + 2, 0);
  p.weights_strides.insert(p.weights_strides.begin() + 3, 0);
  return p;
}

inline Images source_images(const ConvolutionProblem& p) {
  return {
      {p.axes[0].input, p.axes[1].input}, {p.source_strides[2], p.source_strides[3]}, p.source_strides[0]};
}
inline Images destination_images(const ConvolutionProblem& p) {
  return {{p.axes[0].output, p.axes[1].output},
          {p.destination_strides[2], p.destination_strides[3]},
          p.destination_strides[0]};
}

/// Pixels that a tile reads or writes: `size` of them along each axis, `step` apart.
struct Window {
  Pair size = {1, 1}, step = {1, 1};
};

/// The pixels of one axis of a window: the distance of each from the image's start, in elements, and whether
/// it is inside.
struct Line {
  static constexpr std::int64_t kMost = 6;
  std::array<std::int64_t, kMost> offsets;
  std::array<bool, kMost> inside;

  Line(const Images& images, const Window& window, std::int64_t first, std::size_t axis) {
    const std::int64_t size = window.size[axis], step = window.step[axis], stride = images.strides[axis];
    for (std::int64_t i = 0, at = first; i < size; ++i, at += step) {
      offsets[static_cast<std::size_t>(i)] = at * stride;
      inside[static_cast<std::size_t>(i)] = at >= 0 && at < images.extents[axis];
    }
  }
};

/// A tile's pixels are found in some hundred cycles and used for a thousand, so rows of the usual sizes are
/// unrolled.
template <std::int64_t kSize, typename T>
void find_row(const Line& columns, T* row, T* outside, T** pixels) {
#pragma GCC unroll 6
  for (std::size_t j = 0; j < kSize; ++j) pixels[j] = columns.inside[j] ? row + columns.offsets[j] : outside;
}

/// Writes the addresses of the window's pixels, from (first row, first column) on, to `pixels`; `outside` for
/// those beyond the image.
template <typename T>
void find_pixels(const Images& images, const Window& window, T* base, T* outside, std::int64_t batch,
                 const Pair& first, T** pixels) {
  const Line rows(images, window, first[0], 0), columns(images, window, first[1], 1);
  T* const image = base + batch * images.batch_stride;
  const std::int64_t size = window.size[1];
  for (std::size_t i = 0; i < static_cast<std::size_t>(window.size[0]); ++i, pixels += size) {
    T* const row = image + rows.offsets[i];
    if (!rows.inside[i])
      std::fill_n(pixels, size, outside);
    else if (size == 6)
      find_row<6>(columns, row, outside, pixels);
    else if (size == 4)
      find_row<4>(columns, row, outside, pixels);
    else
      for (std::int64_t j = 0; j < size; ++j)
        pixels[j] = columns.inside[static_cast<std::size_t>(j)]
                        ? row + columns.offsets[static_cast<std::size_t>(j)]
                        : outside;
  }
}

/// The tiles that cover images, numbered by batch, row and column. Along an axis of three taps they have
/// `side` results, along an axis of one tap one. With dilation d, pixels d apart belong together: they form a
/// separate image.
struct Tiles {
  Tiles(const ConvolutionProblem& p, const Images& images, std::int64_t side) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const bool has_taps = p.axes[axis].kernel > 1;
      results.size[axis] = has_taps ? side : 1;
      sources.size[axis] = has_taps ? side + 2 : 1;
      results.step[axis] = sources.step[axis] = has_taps ? p.axes[axis].dilation : 1;
      const std::int64_t parts = std::min(results.step[axis], images.extents[axis]);
      of_part_[axis] =
          ((images.extents[axis] + parts - 1) / parts + results.size[axis] - 1) / results.size[axis];
      of_axis_[axis] = parts * of_part_[axis];
    }
    count = p.batch * of_axis_[0] * of_axis_[1];
  }

  struct Place {
    std::int64_t batch = 0;
    Pair first = {};  // result

    Pair source(const Pair& padding) const { return {first[0] - padding[0], first[1] - padding[1]}; }
  };
  Place place(std::int64_t tile) const {
    const std::int64_t of_image = of_axis_[0] * of_axis_[1], in_image = tile % of_image;
    return {tile / of_image, {first(0, in_image / of_axis_[1]), first(1, in_image % of_axis_[1])}};
  }

  Window results, sources;
  std::int64_t count = 0;

 private:
  std::int64_t first(std::size_t axis, std::int64_t tile) const {
    if (results.step[axis] == 1) return tile * results.size[axis];
    return tile / of_part_[axis] + tile % of_part_[axis] * results.size[axis] * results.step[axis];
  }

  Pair of_part_ = {}, of_axis_ = {};  // tiles along an axis
};

/// Splits `whole` into equal parts of at most `most`, each except the last a multiple of `unit`.
struct Parts {
  Parts(std::int64_t whole, std::int64_t most, std::int64_t unit) : total(whole) {
    const std::int64_t wanted = divide_up(total, most);
    size = divide_up(divide_up(total, wanted), unit) * unit;
    count = divide_up(total, size);
  }
  std::int64_t first(std::int64_t part) const { return part * size; }
  std::int64_t extent(std::int64_t part) const { return std::min(size, total - part * size); }

  std::int64_t total, size, count;
};

/// Distance between two points' matrices in floats: not a multiple of a page, so that a tile's points do not
/// share a set of the first-level cache.
inline std::int64_t point_stride(std::int64_t floats) { return (floats + 15) / 16 * 16 + 16; }

}  // namespace cornu::inline v0::backends::cpu::winograd
