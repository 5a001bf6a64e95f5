#include <algorithm>
#include <cstring>
#include <utility>

#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/base/divide_up.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

constexpr std::int64_t kBytesPerSlice = 256 * 1024;

template <typename T>
void copy_strided(std::int64_t n, const std::byte* from, std::int64_t from_stride, std::byte* to,
                  std::int64_t to_stride) {
  const T* const x = reinterpret_cast<const T*>(from);
  T* const y = reinterpret_cast<T*>(to);
  if (to_stride == 1 && from_stride == 0) {
    std::fill_n(y, n, *x);
  } else if (to_stride == 1) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i * from_stride];
  } else {
    for (std::int64_t i = 0; i < n; ++i) y[i * to_stride] = x[i * from_stride];
  }
}

/// A matrix whose columns are contiguous in `from`, to rows that are contiguous in `to`: by blocks that fit
/// the first cache.
template <typename T>
void transpose_matrix(std::int64_t rows, std::int64_t columns, const std::byte* from,
                      std::int64_t from_column, std::byte* to, std::int64_t to_row) {
  constexpr std::int64_t kBlock = 16;
  const T* const x = reinterpret_cast<const T*>(from);
  T* const y = reinterpret_cast<T*>(to);
  for (std::int64_t i = 0; i < rows; i += kBlock) {
    const std::int64_t last = std::min(i + kBlock, rows);
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t r = i; r < last; ++r) y[r * to_row + j] = x[j * from_column + r];
  }
}

class CopyStep final : public Step {
 public:
  CopyStep(const View& from, const View& to)
      : from_slot_(from.slot), to_slot_(to.slot), bytes_(to.element_bytes) {
    const auto bytes = static_cast<std::int64_t>(bytes_);
    from_offset_ = from.offset * bytes;
    to_offset_ = to.offset * bytes;
    const Loops loops = Loops::of(to.dims, {from.strides, to.strides});
    extents_ = loops.extents;
    from_ = loops.strides[0];
    to_ = loops.strides[1];
    // At least a matrix, so that run_matrix has no other case.
    while (extents_.size() < 2) {
      extents_.insert(extents_.begin(), 1);
      from_.insert(from_.begin(), 0);
      to_.insert(to_.begin(), 0);
    }
    for (std::size_t d = 0; d + 2 < extents_.size(); ++d) num_matrices_ *= extents_[d];
    const std::int64_t matrix_bytes = extents_[extents_.size() - 2] * extents_.back() * bytes;
    if (num_matrices_ > 1 && num_matrices_ * matrix_bytes >= 2 * kBytesPerSlice)
      per_slice_ = std::max<std::int64_t>(1, kBytesPerSlice / std::max<std::int64_t>(matrix_bytes, 1));
    else
      per_slice_ = num_matrices_;
    // One large matrix is cut into bands of rows.
    const std::int64_t rows = extents_[extents_.size() - 2];
    band_ = rows;
    if (num_matrices_ == 1 && matrix_bytes >= 2 * kBytesPerSlice)
      band_ = std::max<std::int64_t>(
          16, rows / std::max<std::int64_t>(1, matrix_bytes / kBytesPerSlice) / 16 * 16);
  }

  void run(const Run& run) const override {
    const std::int64_t rows = extents_[extents_.size() - 2];
    if (num_matrices_ * rows * extents_.back() == 0) return;
    const std::int64_t bands = divide_up(rows, band_);
    const std::int64_t slices = bands > 1 ? bands : divide_up(num_matrices_, per_slice_);
    if (slices == 1) return run_matrices(run.slots, 0, num_matrices_, 0, rows);
    struct Work {
      const CopyStep* step;
      std::byte* const* slots;
      bool by_bands;
      std::int64_t rows;
    } work{this, run.slots, bands > 1, rows};
    run.pool->parallel_for(
        slices,
        [](void* data, std::int64_t slice) {
          const Work& w = *static_cast<const Work*>(data);
          const CopyStep& s = *w.step;
          if (w.by_bands) {
            s.run_matrices(w.slots, 0, 1, slice * s.band_, std::min((slice + 1) * s.band_, w.rows));
          } else {
            s.run_matrices(w.slots, slice * s.per_slice_,
                           std::min((slice + 1) * s.per_slice_, s.num_matrices_), 0, w.rows);
          }
        },
        &work);
  }

 private:
  void run_matrices(std::byte* const* slots, std::int64_t begin, std::int64_t end, std::int64_t row_begin,
                    std::int64_t row_end) const {
    const auto bytes = static_cast<std::int64_t>(bytes_);
    for (std::int64_t matrix = begin; matrix < end; ++matrix) {
      const std::byte* from = slots[from_slot_] + from_offset_;
      std::byte* to = slots[to_slot_] + to_offset_;
      std::int64_t rest = matrix;
      for (std::size_t d = extents_.size() - 2; d-- > 0;) {
        from += rest % extents_[d] * from_[d] * bytes;
        to += rest % extents_[d] * to_[d] * bytes;
        rest /= extents_[d];
      }
      switch (bytes_) {
        case 1: run_matrix<std::uint8_t>(from, to, row_begin, row_end); break;
        case 2: run_matrix<std::uint16_t>(from, to, row_begin, row_end); break;
        case 4: run_matrix<std::uint32_t>(from, to, row_begin, row_end); break;
        default: run_matrix<std::uint64_t>(from, to, row_begin, row_end); break;
      }
    }
  }

  template <typename T>
  void run_matrix(const std::byte* from, std::byte* to, std::int64_t row_begin, std::int64_t row_end) const {
    const std::size_t last = extents_.size() - 1;
    const auto bytes = static_cast<std::int64_t>(bytes_);
    const std::int64_t columns = extents_[last];
    from += row_begin * from_[last - 1] * bytes;
    to += row_begin * to_[last - 1] * bytes;
    if (from_[last - 1] == 1 && to_[last] == 1 && row_end - row_begin > 1)
      return transpose_matrix<T>(row_end - row_begin, columns, from, from_[last], to, to_[last - 1]);
    for (std::int64_t row = row_begin; row < row_end;
         ++row, from += from_[last - 1] * bytes, to += to_[last - 1] * bytes) {
      if (from_[last] == 1 && to_[last] == 1)
        std::memcpy(to, from, static_cast<std::size_t>(columns * bytes));
      else
        copy_strided<T>(columns, from, from_[last], to, to_[last]);
    }
  }

  int from_slot_, to_slot_;
  std::size_t bytes_;
  std::int64_t from_offset_ = 0, to_offset_ = 0;
  ir::Dims extents_, from_, to_;
  std::int64_t num_matrices_ = 1, per_slice_ = 1, band_ = 1;
};

}  // namespace

View moved_window(View whole, const ir::Dims& extents, const std::vector<View>& starts, const Run& run) {
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::int64_t start =
        *(reinterpret_cast<const std::int64_t*>(run.slots[starts[d].slot]) + starts[d].offset);
    whole.offset += std::clamp<std::int64_t>(start, 0, whole.dims[d] - extents[d]) * whole.strides[d];
  }
  whole.dims = extents;
  return whole;
}

std::unique_ptr<Step> make_copy_step(const View& from, const View& to) {
  return std::make_unique<CopyStep>(from, to);
}

}  // namespace cornu::inline v0::backends::cpu::eager
