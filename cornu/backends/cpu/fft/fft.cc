#include "cornu/backends/cpu/fft/fft.h"

#include <algorithm>
#include <cmath>

#include "cornu/backends/cpu/fft/line_transform.h"
#include "cornu/ops/fft/fft.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ops::FftType;

/// A tensor of lines along one dimension: line (o, i) has its element k at (o * extent + k) * inner + i.
struct FftLines {
  std::int64_t outer = 1, inner = 1;

  std::int64_t count() const { return outer * inner; }
  std::int64_t first(std::int64_t line, std::int64_t extent) const {
    return line / inner * extent * inner + line % inner;
  }
};

FftLines fft_lines_along(const ir::Dims& dims, std::size_t dimension) {
  FftLines lines;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d < dimension) lines.outer *= dims[d];
    if (d > dimension) lines.inner *= dims[d];
  }
  return lines;
}

/// Elements in the lanes of `count` lines from `first_line` on; `extent` of a line are read, the rest of
/// `to` stays.
template <typename T>
void read_fft_lines(const FftLines& lines, std::int64_t extent, std::int64_t first_line, std::int64_t count,
                    const T* from, std::int64_t lanes, T* to) {
  constexpr std::int64_t kBlock = 16;
  if (lines.inner > 1 && first_line % lines.inner + count <= lines.inner) {
    const T* row = from + lines.first(first_line, extent);
    for (std::int64_t k = 0; k < extent; ++k, row += lines.inner) std::copy_n(row, count, to + k * lanes);
    return;
  }
  for (std::int64_t block = 0; block < extent; block += kBlock)
    for (std::int64_t q = 0; q < count; ++q) {
      const T* const line = from + lines.first(first_line + q, extent);
      for (std::int64_t k = block; k < std::min(block + kBlock, extent); ++k)
        to[k * lanes + q] = line[k * lines.inner];
    }
}

template <typename T>
void write_fft_lines(const FftLines& lines, std::int64_t extent, std::int64_t first_line, std::int64_t count,
                     const T* from, std::int64_t lanes, T scale, T* to) {
  constexpr std::int64_t kBlock = 16;
  if (lines.inner > 1 && first_line % lines.inner + count <= lines.inner) {
    T* row = to + lines.first(first_line, extent);
    for (std::int64_t k = 0; k < extent; ++k, row += lines.inner)
      for (std::int64_t q = 0; q < count; ++q) row[q] = from[k * lanes + q] * scale;
    return;
  }
  for (std::int64_t block = 0; block < extent; block += kBlock)
    for (std::int64_t q = 0; q < count; ++q) {
      T* const line = to + lines.first(first_line + q, extent);
      for (std::int64_t k = block; k < std::min(block + kBlock, extent); ++k)
        line[k * lines.inner] = from[k * lanes + q] * scale;
    }
}

/// One dimension of a transform.
template <typename T>
struct FftAxis {
  FftLines lines;
  LineTransform<T> transform;
  std::int64_t lanes = 1;  // lines at a time

  FftAxis(FftLines axis_lines, std::int64_t n, IsaLevel level, bool is_paired)
      : lines(axis_lines), transform(n, level) {
    constexpr std::int64_t kMostLanes = 64 / sizeof(T), kMostElements = 32768;
    lanes = std::clamp<std::int64_t>(kMostElements / n, 1, kMostLanes);
    const std::int64_t wanted = is_paired ? (lines.count() + 1) / 2 : lines.count();
    lanes = std::max<std::int64_t>(std::min(lanes, wanted), 1);
  }
  std::int64_t elements() const {
    return 2 * (transform.size() * lanes + LineTransform<T>::kGap) + transform.work_elements(lanes);
  }
  std::int64_t num_groups(std::int64_t lines_per_lane) const {
    const std::int64_t together = lanes * lines_per_lane;
    return (lines.count() + together - 1) / together;
  }
};

template <typename T>
class FftKernel final : public GroupKernel {
 public:
  FftKernel(const ir::Op& op, const Target& target, int num_threads)
      : type_(ops::fft_type(op)), dims_(op.operand(0).dims()), half_(0), level_(target.isa) {
    const ir::Dims& length = ops::fft_length(op);
    const std::size_t last = dims_.size() - 1;
    real_extent_ = length.back();
    half_ = type_ == FftType::kRfft ? op.result().dims().back() : dims_.back();
    result_elements_ = op.result().type().num_elements();
    if (result_elements_ == 0 || op.operand(0).type().num_elements() == 0) return;
    // The dimensions besides the last are transformed on the complex side.
    ir::Dims complex_dims = type_ == FftType::kRfft ? op.result().dims() : dims_;
    const bool is_real = type_ == FftType::kRfft || type_ == FftType::kIrfft;
    for (std::size_t i = 0; i < length.size(); ++i) {
      const std::size_t d = last - i;
      const bool is_paired = is_real && i == 0;
      axes_.emplace_back(fft_lines_along(complex_dims, d), i == 0 ? real_extent_ : complex_dims[d], level_,
                         is_paired);
      std::int64_t groups = axes_.back().num_groups(is_paired ? 2 : 1);
      num_slices_ = std::max(num_slices_, std::min(groups, kMaxKernelSlices));
      slot_bytes_ =
          std::max(slot_bytes_, whole_lines(static_cast<std::size_t>(axes_.back().elements()) * sizeof(T)));
    }
    const std::int64_t slots = num_slots(num_slices_, num_threads);
    if (type_ == FftType::kIrfft && length.size() > 1)
      between_bytes_ = whole_lines(static_cast<std::size_t>(op.operand(0).type().num_elements()) * sizeof(T));
    scratch_bytes_ = static_cast<std::size_t>(slots) * slot_bytes_ + 2 * between_bytes_;
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    if (axes_.empty()) {
      for (std::byte* result : memory.results)
        std::fill_n(reinterpret_cast<T*>(result), result_elements_, T(0));
      return;
    }
    const auto operand = [&](std::size_t i) { return reinterpret_cast<const T*>(memory.operands[i]); };
    const auto result = [&](std::size_t i) { return reinterpret_cast<T*>(memory.results[i]); };
    std::byte* const slots = memory.scratch + 2 * between_bytes_;
    const Run run{pool, slots};
    switch (type_) {
      case FftType::kFft: run_complex(run, 0, operand(0), operand(1), result(0), result(1)); break;
      case FftType::kIfft: run_complex(run, 0, operand(1), operand(0), result(1), result(0)); break;
      case FftType::kRfft:
        run_real(run, operand(0), result(0), result(1));
        run_complex(run, 1, result(0), result(1), result(0), result(1));
        break;
      case FftType::kIrfft: {
        if (axes_.size() == 1) return run_to_real(run, operand(0), operand(1), result(0));
        auto* const re = reinterpret_cast<T*>(memory.scratch);
        auto* const im = reinterpret_cast<T*>(memory.scratch + between_bytes_);
        run_complex(run, 1, operand(1), operand(0), im, re);
        run_to_real(run, re, im, result(0));
      }
    }
  }

 private:
  struct Run {
    ThreadPool& pool;
    std::byte* slots;
  };

  /// f(group, memory of a slot) for each group of lines.
  template <typename F>
  void for_each_group(const Run& run, std::int64_t num_groups, const F& f) const {
    ScratchSlots slots(run.slots, slot_bytes_);
    const std::int64_t num_slices = std::min(num_groups, num_slices_);
    for_each_slice(run.pool, num_slices, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t begin = slice * num_groups / num_slices, end = (slice + 1) * num_groups / num_slices;
      for (std::int64_t group = begin; group < end; ++group) f(group, reinterpret_cast<T*>(lease.data()));
    });
  }

  /// Transforms the axes from number `first_axis` on; an inverse has its parts exchanged.
  void run_complex(const Run& run, std::size_t first_axis, const T* from_re, const T* from_im, T* to_re,
                   T* to_im) const {
    const bool is_inverse = type_ == FftType::kIfft || type_ == FftType::kIrfft;
    for (std::size_t i = first_axis; i < axes_.size(); ++i) {
      const FftAxis<T>& axis = axes_[i];
      const std::int64_t n = axis.transform.size();
      const T scale = is_inverse ? T(1) / static_cast<T>(n) : T(1);
      for_each_group(run, axis.num_groups(1), [&](std::int64_t group, T* memory) {
        const std::int64_t first = group * axis.lanes,
                           lanes = std::min(axis.lanes, axis.lines.count() - first);
        T *const re = memory, *const im = re + n * lanes + kGap;
        read_fft_lines(axis.lines, n, first, lanes, from_re, lanes, re);
        read_fft_lines(axis.lines, n, first, lanes, from_im, lanes, im);
        axis.transform.run(lanes, re, im, im + n * lanes + kGap);
        write_fft_lines(axis.lines, n, first, lanes, re, lanes, scale, to_re);
        write_fft_lines(axis.lines, n, first, lanes, im, lanes, scale, to_im);
      });
      from_re = to_re;
      from_im = to_im;
    }
  }

  /// Lanes of a group of paired lines: the first lines are the real parts, the others the imaginary ones.
  struct Pairs {
    Pairs(const FftAxis<T>& axis, std::int64_t group) : first(group * 2 * axis.lanes) {
      const std::int64_t count = std::min(2 * axis.lanes, axis.lines.count() - first);
      lanes = (count + 1) / 2;
      others = count - lanes;
    }
    std::int64_t first, lanes = 0, others = 0;
  };

  void run_real(const Run& run, const T* from, T* to_re, T* to_im) const {
    const FftAxis<T>& axis = axes_[0];
    const std::int64_t n = real_extent_;
    for_each_group(run, axis.num_groups(2), [&](std::int64_t group, T* memory) {
      const Pairs p(axis, group);
      T *const re = memory, *const im = re + n * p.lanes + kGap, *const work = im + n * p.lanes + kGap;
      if (p.others < p.lanes) std::fill_n(im, n * p.lanes, T(0));
      read_fft_lines(axis.lines, n, p.first, p.lanes, from, p.lanes, re);
      read_fft_lines(axis.lines, n, p.first + p.lanes, p.others, from, p.lanes, im);
      axis.transform.run(p.lanes, re, im, work);
      T *const own_re = work, *const own_im = work + half_ * p.lanes;
      separate(n, p.lanes, re, im, own_re, own_im, true);
      write_fft_lines(axis.lines, half_, p.first, p.lanes, own_re, p.lanes, T(1), to_re);
      write_fft_lines(axis.lines, half_, p.first, p.lanes, own_im, p.lanes, T(1), to_im);
      separate(n, p.lanes, re, im, own_re, own_im, false);
      write_fft_lines(axis.lines, half_, p.first + p.lanes, p.others, own_re, p.lanes, T(1), to_re);
      write_fft_lines(axis.lines, half_, p.first + p.lanes, p.others, own_im, p.lanes, T(1), to_im);
    });
  }

  /// The transform of the real parts from that of a pair, (z[k] + conj z[n - k]) / 2, or of the imaginary
  /// parts, (z[k] - conj z[n - k]) / 2i.
  void separate(std::int64_t n, std::int64_t lanes, const T* re, const T* im, T* own_re, T* own_im,
                bool is_real) const {
    for (std::int64_t k = 0; k < half_; ++k) {
      const std::int64_t at = k * lanes, mirrored = (k == 0 ? 0 : n - k) * lanes;
      for (std::int64_t q = 0; q < lanes; ++q) {
        const T ar = re[at + q], ai = im[at + q], br = re[mirrored + q], bi = im[mirrored + q];
        own_re[at + q] = T(0.5) * (is_real ? ar + br : ai + bi);
        own_im[at + q] = T(0.5) * (is_real ? ai - bi : br - ar);
      }
    }
  }

  void run_to_real(const Run& run, const T* from_re, const T* from_im, T* to) const {
    const FftAxis<T>& axis = axes_[0];
    const std::int64_t n = real_extent_;
    const T scale = T(1) / static_cast<T>(n);
    for_each_group(run, axis.num_groups(2), [&](std::int64_t group, T* memory) {
      const Pairs p(axis, group);
      const std::int64_t size = n * p.lanes;
      T *const re = memory, *const im = re + size + kGap, *const work = im + size + kGap;
      // Halves of the pair's lines: real and imaginary parts of the first ones, then of the others.
      T *const xr = work, *const xi = work + half_ * p.lanes;
      read_fft_lines(axis.lines, half_, p.first, p.lanes, from_re, p.lanes, xr);
      read_fft_lines(axis.lines, half_, p.first, p.lanes, from_im, p.lanes, xi);
      join(n, p.lanes, xr, xi, true, re, im);
      if (p.others > 0) {
        if (p.others < p.lanes) std::fill_n(work, 2 * half_ * p.lanes, T(0));
        read_fft_lines(axis.lines, half_, p.first + p.lanes, p.others, from_re, p.lanes, xr);
        read_fft_lines(axis.lines, half_, p.first + p.lanes, p.others, from_im, p.lanes, xi);
        join(n, p.lanes, xr, xi, false, re, im);
      }
      axis.transform.run(p.lanes, im, re, work);
      write_fft_lines(axis.lines, n, p.first, p.lanes, re, p.lanes, scale, to);
      write_fft_lines(axis.lines, n, p.first + p.lanes, p.others, im, p.lanes, scale, to);
    });
  }

  /// Writes the whole transform of the first lines, or adds i times that of the others.
  void join(std::int64_t n, std::int64_t lanes, const T* xr, const T* xi, bool is_first, T* re, T* im) const {
    for (std::int64_t k = 0; k < n; ++k) {
      const bool is_mirrored = k >= half_, is_own = k == 0 || 2 * k == n;  // a real number
      const std::int64_t at = (is_mirrored ? n - k : k) * lanes;
      const T sign = is_own ? T(0) : is_mirrored ? T(-1) : T(1);
      for (std::int64_t q = 0; q < lanes; ++q) {
        const T a = xr[at + q], b = is_own ? T(0) : sign * xi[at + q];
        re[k * lanes + q] = is_first ? a : re[k * lanes + q] - b;
        im[k * lanes + q] = is_first ? b : im[k * lanes + q] + a;
      }
    }
  }

  static constexpr std::int64_t kGap = LineTransform<T>::kGap;

  FftType type_;
  ir::Dims dims_;
  std::int64_t real_extent_ = 0, half_ = 0, result_elements_ = 0;
  IsaLevel level_;
  std::vector<FftAxis<T>> axes_;  // the last dimension first
  std::size_t slot_bytes_ = 0, between_bytes_ = 0;
};

}  // namespace

std::unique_ptr<GroupKernel> make_fft_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (op.operand(0).dtype() == ir::DType::kF32)
    return std::make_unique<FftKernel<float>>(op, target, num_threads);
  return std::make_unique<FftKernel<double>>(op, target, num_threads);
}

double fft_flops(const ir::Op& op) {
  const bool is_inverse_real = ops::fft_type(op) == FftType::kIrfft;
  const auto count =
      static_cast<double>((is_inverse_real ? op.result() : op.operand(0)).type().num_elements());
  double levels = 0;
  for (const std::int64_t n : ops::fft_length(op))
    levels += std::log2(std::max<double>(2, static_cast<double>(n)));
  return 5 * count * levels;
}

}  // namespace cornu::inline v0::backends::cpu
