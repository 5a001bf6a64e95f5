#include <algorithm>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {
namespace {

constexpr std::int64_t kTile = 32;  // both sides of a transposed tile stay in the first-level cache

/// Copies elements of `kBytes` bytes, `strides` elements apart in `from`, to consecutive positions.
template <std::size_t kBytes>
class StridedCopy {
 public:
  StridedCopy(const Dims& shape, const Dims& strides) : shape_(shape), strides_(strides) {}

  void run(const std::byte* from, std::byte* to) const { walk(0, from, to); }

 private:
  std::int64_t rank() const { return static_cast<std::int64_t>(shape_.size()); }
  std::int64_t extent(std::int64_t axis) const { return shape_[static_cast<std::size_t>(axis)]; }
  std::int64_t bytes_apart(std::int64_t axis) const {
    return strides_[static_cast<std::size_t>(axis)] * static_cast<std::int64_t>(kBytes);
  }

  /// Copies the axes from `axis` on; returns the end of the written bytes.
  std::byte* walk(std::int64_t axis, const std::byte* from, std::byte* to) const {
    if (axis == rank()) {
      std::memcpy(to, from, kBytes);
      return to + kBytes;
    }
    if (axis == rank() - 1) return copy_matrix(1, 0, from, to);
    if (axis == rank() - 2) return copy_matrix(extent(axis), bytes_apart(axis), from, to);
    for (std::int64_t i = 0; i < extent(axis); ++i) to = walk(axis + 1, from + i * bytes_apart(axis), to);
    return to;
  }

  /// Rows of the last axis that begin `row_bytes` apart.
  std::byte* copy_matrix(std::int64_t rows, std::int64_t row_bytes, const std::byte* from,
                         std::byte* to) const {
    const std::int64_t columns = extent(rank() - 1), column_bytes = bytes_apart(rank() - 1);
    const auto width = static_cast<std::size_t>(columns) * kBytes;
    if (column_bytes == kBytes) {
      for (std::int64_t i = 0; i < rows; ++i, to += width) std::memcpy(to, from + i * row_bytes, width);
      return to;
    }
    for (std::int64_t row = 0; row < rows; row += kTile)
      for (std::int64_t column = 0; column < columns; column += kTile)
        for (std::int64_t i = row; i < std::min(row + kTile, rows); ++i)
          for (std::int64_t j = column; j < std::min(column + kTile, columns); ++j)
            std::memcpy(to + static_cast<std::size_t>(i) * width + static_cast<std::size_t>(j) * kBytes,
                        from + i * row_bytes + j * column_bytes, kBytes);
    return to + static_cast<std::size_t>(rows) * width;
  }

  const Dims& shape_;
  const Dims& strides_;
};

/// Errors: InvalidArgument unless every element is among the `num_values` values.
void check_strides(const Dims& shape, const Dims& strides, std::size_t num_values) {
  if (strides.size() != shape.size() ||
      std::any_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride < 0; }))
    invalid_argument(
        "[tensor] strides must be a number of elements, not negative, for each axis of shape {}; got {}",
        ir::shape_str(shape), ir::shape_str(strides));
  CheckedSize last = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) last = last + CheckedSize(shape[i] - 1) * strides[i];
  if (last.exceeds(static_cast<std::int64_t>(num_values) - 1))
    invalid_argument("[tensor] shape {} with strides {} ends beyond the values; got {} values",
                     ir::shape_str(shape), ir::shape_str(strides), num_values);
}

}  // namespace

Tensor Tensor::copy_strided(const TensorType& type, const std::byte* data, std::size_t num_values,
                            const Dims& strides) {
  ir::Literal copy(type);
  if (type.num_elements() == 0) return Tensor(copy);
  check_not_null(data, type.size_bytes());
  check_strides(type.dims, strides, num_values);
  std::byte* const to = copy.mutable_bytes().data();
  switch (ir::size_bytes(type.dtype)) {
    case 1: StridedCopy<1>(type.dims, strides).run(data, to); break;
    case 2: StridedCopy<2>(type.dims, strides).run(data, to); break;
    case 4: StridedCopy<4>(type.dims, strides).run(data, to); break;
    case 8: StridedCopy<8>(type.dims, strides).run(data, to); break;
    default: CORNU_CHECK(false, "no element has {} bytes", ir::size_bytes(type.dtype));
  }
  return Tensor(copy);
}

}  // namespace cornu::inline v0
