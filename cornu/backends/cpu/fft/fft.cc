#include "cornu/backends/cpu/fft/fft.h"

#include <algorithm>
#include <cmath>

#include "cornu/backends/cpu/fft/line_transform.h"
#include "cornu/ops/fft/fft.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ops::FftType;

/// Lines along one dimension: line (o, i) has its element k at (o * extent + k) * inner + i.
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

/// Some lines of an axis, in the lanes of re and im: element k of lane q is at k * lanes + q.
template <typename T>
struct Lanes {
  std::int64_t first = 0, count = 0;  // lines
  std::int64_t lanes = 1;             // at least count; the others have any values
  T *re = nullptr, *im = nullptr, *work = nullptr;
};

/// One dimension of a transform, and the ways to and from its lanes.
template <typename T>
class FftAxis {
 public:
  static constexpr std::int64_t kWidth = LineTransform<T>::kWidth, kGap = LineTransform<T>::kGap;

  /// `n` elements a line; real ones if `is_real`.
  FftAxis(FftLines axis_lines, std::int64_t n, IsaLevel level, bool is_real)
      : lines_(axis_lines),
        n_(n),
        is_packed_(is_real && n % 2 == 0),
        is_single_(is_single(axis_lines, is_packed_ ? n / 2 : n, level)),
        transform_(is_packed_ ? n / 2 : n, level, is_single_) {
    if (!is_single_)
      lanes_ = lines_.inner == 1 ? kWidth : std::clamp<std::int64_t>(lines_.count(), 1, kWidth);
    if (lines_.inner >= kWidth / 2) groups_per_row_ = (lines_.inner + lanes_ - 1) / lanes_;
    if (!is_packed_) return;
    const Roots roots(n);
    for (std::int64_t k = 0; k < n / 2; ++k) {
      root_re_.push_back(static_cast<T>(roots.at(k).real()));
      root_im_.push_back(static_cast<T>(roots.at(k).imag()));
    }
  }

  std::int64_t num_groups() const {
    return groups_per_row_ > 0 ? lines_.outer * groups_per_row_ : (lines_.count() + lanes_ - 1) / lanes_;
  }
  std::size_t slot_bytes() const {
    return whole_lines(static_cast<std::size_t>(2 * part_elements() + work_elements()) * sizeof(T));
  }

  Lanes<T> group(std::int64_t number, std::byte* memory) const {
    auto* const re = reinterpret_cast<T*>(memory);
    std::int64_t first = number * lanes_, count = std::min(lanes_, lines_.count() - first);
    if (groups_per_row_ > 0) {  // the lines of a group are side by side
      const std::int64_t column = number % groups_per_row_ * lanes_;
      first = number / groups_per_row_ * lines_.inner + column;
      count = std::min(lanes_, lines_.inner - column);
    }
    const std::int64_t lanes = lines_.inner == 1 ? lanes_ : count;
    return {first, count, lanes, re, re + part_elements(), re + 2 * part_elements()};
  }

  /// Complex lines to complex lines; `from` may be `to`.
  void run_complex(const Lanes<T>& g, const T* from, T* to, bool is_inverse) const {
    T *const re = is_inverse ? g.im : g.re, *const im = is_inverse ? g.re : g.im;
    read_pairs(g, from, n_, re, im);
    transform_.run(g.lanes, g.re, g.im, g.work);
    write_pairs(g, re, im, n_, is_inverse ? T(1) / static_cast<T>(n_) : T(1), to);
  }

  /// Real lines to the first half of their transform.
  void run_to_half(const Lanes<T>& g, const T* from, T* to) const {
    const std::int64_t half = n_ / 2 + 1;
    if (!is_packed_) {
      read_real(g, from, n_, g.re);
      std::fill_n(g.im, n_ * g.lanes, T(0));
      transform_.run(g.lanes, g.re, g.im, g.work);
      return write_pairs(g, g.re, g.im, half, T(1), to);
    }
    const std::int64_t m = n_ / 2;
    read_pairs(g, from, m, g.re, g.im);
    transform_.run(g.lanes, g.re, g.im, g.work);
    T *const to_re = g.work, *const to_im = g.work + half * g.lanes + kGap;
    loops().unpack_real(m, g.lanes, g.re, g.im, root_re_.data(), root_im_.data(), to_re, to_im);
    write_pairs(g, to_re, to_im, half, T(1), to);
  }

  void run_from_half(const Lanes<T>& g, const T* from, T* to) const {
    const std::int64_t half = n_ / 2 + 1, m = n_ / 2;
    const T scale = T(1) / static_cast<T>(n_);
    if (!is_packed_) {
      read_pairs(g, from, half, g.re, g.im);
      std::fill_n(g.im, g.lanes, T(0));
      for (std::int64_t k = half; k < n_; ++k)
        for (std::int64_t q = 0; q < g.lanes; ++q) {
          g.re[k * g.lanes + q] = g.re[(n_ - k) * g.lanes + q];
          g.im[k * g.lanes + q] = -g.im[(n_ - k) * g.lanes + q];
        }
      transform_.run(g.lanes, g.im, g.re, g.work);
      return write_real(g, g.re, n_, scale, to);
    }
    T *const half_re = g.work, *const half_im = g.work + half * g.lanes + kGap;
    read_pairs(g, from, half, half_re, half_im);
    loops().pack_real(m, g.lanes, half_re, half_im, root_re_.data(), root_im_.data(), g.re, g.im);
    transform_.run(g.lanes, g.im, g.re, g.work);
    write_pairs(g, g.re, g.im, m, scale, to);
  }

 private:
  /// A matrix takes its lanes from one line: where there are few lines, or where many would leave the caches.
  static bool is_single(const FftLines& lines, std::int64_t n, IsaLevel level) {
    constexpr std::int64_t kLong = 2560;  // 0.6 MiB of lanes
    if (lines.inner > 1) return false;
    return lines.count() < kWidth / 2 || (n > kLong && LineTransform<T>::is_matrix(n, level));
  }

  const FftLoops<T>& loops() const { return transform_.loops(); }
  std::int64_t part_elements() const { return n_ * lanes_ + kGap; }
  std::int64_t work_elements() const {
    return std::max(transform_.work_elements(lanes_), 2 * ((n_ / 2 + 1) * lanes_ + kGap));
  }
  bool has_rows(const Lanes<T>& g) const {
    return lines_.inner > 1 && g.first % lines_.inner + g.count <= lines_.inner;
  }

  /// Blocks of kWidth elements of all lines through squares.
  void read_pairs(const Lanes<T>& g, const T* from, std::int64_t extent, T* re, T* im) const {
    if (g.lanes == 1 && lines_.inner == 1)
      return loops().separate_pairs(extent, from + 2 * g.first * extent, re, im);
    if (has_rows(g)) {
      const T* row = from + 2 * lines_.first(g.first, extent);
      for (std::int64_t k = 0; k < extent; ++k, row += 2 * lines_.inner)
        loops().separate_pairs(g.count, row, re + k * g.lanes, im + k * g.lanes);
      return;
    }
    const std::int64_t whole = is_square(g) ? extent / kWidth * kWidth : 0;
    alignas(64) T a[kWidth * kWidth] = {}, b[kWidth * kWidth] = {};
    for (std::int64_t k = 0; k < whole; k += kWidth) {
      for (std::int64_t q = 0; q < g.count; ++q)
        loops().separate_pairs(kWidth, from + 2 * ((g.first + q) * extent + k), a + q * kWidth,
                               b + q * kWidth);
      loops().transpose_square(a, kWidth, re + k * kWidth, kWidth);
      loops().transpose_square(b, kWidth, im + k * kWidth, kWidth);
    }
    for (std::int64_t q = 0; q < g.count; ++q) {
      const T* const line = from + 2 * lines_.first(g.first + q, extent);
      for (std::int64_t k = whole; k < extent; ++k) {
        re[k * g.lanes + q] = line[2 * k * lines_.inner];
        im[k * g.lanes + q] = line[2 * k * lines_.inner + 1];
      }
    }
  }

  void write_pairs(const Lanes<T>& g, const T* re, const T* im, std::int64_t extent, T scale, T* to) const {
    if (g.lanes == 1 && lines_.inner == 1)
      return loops().join_pairs(extent, re, im, scale, to + 2 * g.first * extent);
    if (has_rows(g)) {
      T* row = to + 2 * lines_.first(g.first, extent);
      for (std::int64_t k = 0; k < extent; ++k, row += 2 * lines_.inner)
        loops().join_pairs(g.count, re + k * g.lanes, im + k * g.lanes, scale, row);
      return;
    }
    const std::int64_t whole = is_square(g) ? extent / kWidth * kWidth : 0;
    alignas(64) T a[kWidth * kWidth], b[kWidth * kWidth];
    for (std::int64_t k = 0; k < whole; k += kWidth) {
      loops().transpose_square(re + k * kWidth, kWidth, a, kWidth);
      loops().transpose_square(im + k * kWidth, kWidth, b, kWidth);
      for (std::int64_t q = 0; q < g.count; ++q)
        loops().join_pairs(kWidth, a + q * kWidth, b + q * kWidth, scale,
                           to + 2 * ((g.first + q) * extent + k));
    }
    for (std::int64_t q = 0; q < g.count; ++q) {
      T* const line = to + 2 * lines_.first(g.first + q, extent);
      for (std::int64_t k = whole; k < extent; ++k) {
        line[2 * k * lines_.inner] = re[k * g.lanes + q] * scale;
        line[2 * k * lines_.inner + 1] = im[k * g.lanes + q] * scale;
      }
    }
  }

  /// Real lines follow each other: their dimension is the last.
  void read_real(const Lanes<T>& g, const T* from, std::int64_t extent, T* re) const {
    from += g.first * extent;
    if (g.lanes == 1) {
      std::copy_n(from, extent, re);
      return;
    }
    const std::int64_t whole = is_square(g) && g.count == kWidth ? extent / kWidth * kWidth : 0;
    for (std::int64_t k = 0; k < whole; k += kWidth)
      loops().transpose_square(from + k, extent, re + k * kWidth, kWidth);
    for (std::int64_t q = 0; q < g.count; ++q)
      for (std::int64_t k = whole; k < extent; ++k) re[k * g.lanes + q] = from[q * extent + k];
  }
  void write_real(const Lanes<T>& g, const T* re, std::int64_t extent, T scale, T* to) const {
    to += g.first * extent;
    if (g.lanes == 1) return loops().scale_row(extent, re, scale, to);
    const std::int64_t whole = is_square(g) ? extent / kWidth * kWidth : 0;
    alignas(64) T square[kWidth * kWidth];
    for (std::int64_t k = 0; k < whole; k += kWidth) {
      loops().transpose_square(re + k * kWidth, kWidth, square, kWidth);
      for (std::int64_t q = 0; q < g.count; ++q)
        loops().scale_row(kWidth, square + q * kWidth, scale, to + q * extent + k);
    }
    for (std::int64_t q = 0; q < g.count; ++q)
      for (std::int64_t k = whole; k < extent; ++k) to[q * extent + k] = re[k * g.lanes + q] * scale;
  }

  bool is_square(const Lanes<T>& g) const { return lines_.inner == 1 && g.lanes == kWidth; }

  FftLines lines_;
  std::int64_t n_ = 1;
  bool is_packed_ = false;  // pairs of real numbers are complex numbers
  bool is_single_ = false;
  std::int64_t lanes_ = 1, groups_per_row_ = 0;
  LineTransform<T> transform_;
  std::vector<T> root_re_, root_im_;  // of a packed line
};

template <typename T>
class FftKernel final : public GroupKernel {
 public:
  FftKernel(const ir::Op& op, const Target& target, int num_threads) : type_(ops::fft_type(op)) {
    const ir::Dims& length = ops::fft_length(op);
    result_elements_ = op.result().type().num_elements();
    const std::int64_t operand_elements = op.operand(0).type().num_elements();
    if (result_elements_ == 0 || operand_elements == 0) return;
    // The dimensions besides the last are transformed on the complex side, whose last dimension are the
    // parts.
    ir::Dims dims = type_ == FftType::kRfft ? op.result().dims() : op.operand(0).dims();
    dims.pop_back();
    const bool is_real = type_ == FftType::kRfft || type_ == FftType::kIrfft;
    std::size_t slot_bytes = 0;
    for (std::size_t i = 0; i < length.size(); ++i) {
      const std::size_t d = dims.size() - 1 - i;
      axes_.push_back(std::make_unique<FftAxis<T>>(fft_lines_along(dims, d), i == 0 ? length.back() : dims[d],
                                                   target.isa, is_real && i == 0));
      num_slices_ = std::max(num_slices_, std::min(axes_.back()->num_groups(), kMaxKernelSlices));
      slot_bytes = std::max(slot_bytes, axes_.back()->slot_bytes());
    }
    slot_bytes_ = slot_bytes;
    if (type_ == FftType::kIrfft && length.size() > 1)
      between_bytes_ = whole_lines(static_cast<std::size_t>(operand_elements) * sizeof(T));
    scratch_bytes_ =
        static_cast<std::size_t>(num_slots(num_slices_, num_threads)) * slot_bytes_ + between_bytes_;
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    auto* const to = reinterpret_cast<T*>(memory.results[0]);
    if (axes_.empty()) {
      std::fill_n(to, result_elements_, T(0));
      return;
    }
    const auto* const from = reinterpret_cast<const T*>(memory.operands[0]);
    auto* const between = reinterpret_cast<T*>(memory.scratch);
    std::byte* const slots = memory.scratch + between_bytes_;
    const bool is_inverse = type_ == FftType::kIfft || type_ == FftType::kIrfft;
    if (type_ == FftType::kRfft)
      for_each_group(pool, slots, *axes_[0],
                     [&](const FftAxis<T>& axis, const Lanes<T>& g) { axis.run_to_half(g, from, to); });
    const bool is_real = type_ == FftType::kRfft || type_ == FftType::kIrfft;
    T* const target = type_ == FftType::kIrfft ? between : to;
    const T* source = type_ == FftType::kRfft ? to : from;
    for (std::size_t i = is_real ? 1 : 0; i < axes_.size(); ++i) {
      for_each_group(pool, slots, *axes_[i], [&](const FftAxis<T>& axis, const Lanes<T>& g) {
        axis.run_complex(g, source, target, is_inverse);
      });
      source = target;
    }
    if (type_ == FftType::kIrfft)
      for_each_group(pool, slots, *axes_[0],
                     [&](const FftAxis<T>& axis, const Lanes<T>& g) { axis.run_from_half(g, source, to); });
  }

 private:
  /// f(axis, group) for each group of lines.
  template <typename F>
  void for_each_group(ThreadPool& pool, std::byte* memory, const FftAxis<T>& axis, const F& f) const {
    ScratchSlots slots(memory, slot_bytes_);
    const std::int64_t num_groups = axis.num_groups(), num_slices = std::min(num_groups, num_slices_);
    for_each_slice(pool, num_slices, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t begin = slice * num_groups / num_slices, end = (slice + 1) * num_groups / num_slices;
      for (std::int64_t group = begin; group < end; ++group) f(axis, axis.group(group, lease.data()));
    });
  }

  FftType type_;
  std::int64_t result_elements_ = 0;
  std::vector<std::unique_ptr<FftAxis<T>>> axes_;  // the last dimension first
  std::size_t slot_bytes_ = 0, between_bytes_ = 0;
};

}  // namespace

std::unique_ptr<GroupKernel> make_fft_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (op.operand(0).dtype() == ir::DType::kF32)
    return std::make_unique<FftKernel<float>>(op, target, num_threads);
  return std::make_unique<FftKernel<double>>(op, target, num_threads);
}

double fft_flops(const ir::Op& op) {
  const ir::Value real = ops::fft_type(op) == FftType::kRfft ? op.operand(0) : op.result();
  const double count = static_cast<double>(real.type().num_elements()) / 2;  // complex numbers
  double levels = 0;
  for (const std::int64_t n : ops::fft_length(op))
    levels += std::log2(std::max<double>(2, static_cast<double>(n)));
  return 5 * count * levels;
}

}  // namespace cornu::inline v0::backends::cpu
