#pragma once

#include <algorithm>
#include <cstdint>

#include "cornu/backends/cpu/convolution/problem.h"

namespace cornu::inline v0::backends::cpu::winograd {

/// Images whose channels are innermost; strides in elements.
struct Images {
  std::int64_t height = 0, width = 0, batch_stride = 0, row_stride = 0, column_stride = 0;
};

inline Images source_images(const ConvolutionProblem& p) {
  return {p.axes[0].input, p.axes[1].input, p.source_strides[0], p.source_strides[2], p.source_strides[3]};
}
inline Images destination_images(const ConvolutionProblem& p) {
  return {p.axes[0].output, p.axes[1].output, p.destination_strides[0], p.destination_strides[2], p.destination_strides[3]};
}

/// Fills `pixels` with where the size x size pixels from (row, column) are, and with `outside` for those beyond the image.
template <typename T>
void find_pixels(const Images& images, T* base, T* outside, std::int64_t batch, std::int64_t row, std::int64_t column, int size,
                 T** pixels) {
  T* const first = base + batch * images.batch_stride + row * images.row_stride + column * images.column_stride;
  const bool inside = row >= 0 && column >= 0 && row + size <= images.height && column + size <= images.width;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const bool hit = inside || (row + i >= 0 && row + i < images.height && column + j >= 0 && column + j < images.width);
      pixels[i * size + j] = hit ? first + i * images.row_stride + j * images.column_stride : outside;
    }
}

/// The tiles of `outputs` x `outputs` that cover images, numbered by batch, row and column.
struct Tiles {
  Tiles(std::int64_t batch, const Images& images, int side)
      : outputs(side),
        columns((images.width + side - 1) / side),
        of_image((images.height + side - 1) / side * columns),
        count(batch * of_image) {}

  struct Place {
    std::int64_t batch, row, column;  // of its first result
  };
  Place place(std::int64_t tile) const {
    const std::int64_t in_image = tile % of_image;
    return {tile / of_image, in_image / columns * outputs, in_image % columns * outputs};
  }

  int outputs;
  std::int64_t columns, of_image, count;
};

/// `whole` in equal parts of at most `most`, each but the last a multiple of `unit`.
struct Parts {
  Parts(std::int64_t whole, std::int64_t most, std::int64_t unit) : total(whole) {
    const std::int64_t wanted = (total + most - 1) / most;
    size = ((total + wanted - 1) / wanted + unit - 1) / unit * unit;
    count = (total + size - 1) / size;
  }
  std::int64_t first(std::int64_t part) const { return part * size; }
  std::int64_t extent(std::int64_t part) const { return std::min(size, total - part * size); }

  std::int64_t total, size, count;
};

/// Floats from one point's matrix to the next: not a multiple of a page, so that a tile's points do not share a set of the first cache.
inline std::int64_t point_stride(std::int64_t floats) { return (floats + 15) / 16 * 16 + 16; }

}  // namespace cornu::inline v0::backends::cpu::winograd
