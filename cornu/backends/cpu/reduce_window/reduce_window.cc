#include "cornu/backends/cpu/reduce_window/reduce_window.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <vector>

#include "cornu/backends/cpu/kernels/half_kernel.h"
#include "cornu/base/divide_up.h"
#include "cornu/ir/literal.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reduce_window/reduce_window.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kColumns = 64;  // adjacent elements that are reduced together
constexpr std::int64_t kReducedElementsPerSlice = 16384;

// ---- combination of two elements ----

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Integers wrap: their sums and products have the bits of the type's width alone.
template <typename T>
struct SumOf {
  using Type = std::make_unsigned_t<T>;
};
template <typename T>
  requires std::is_floating_point_v<T>
struct SumOf<T> {
  using Type = double;
};
/// Unsigned numbers of less than 32 bits would be multiplied as signed ones.
template <typename S>
using Wide = std::common_type_t<S, std::uint32_t>;

struct Add {
  template <typename T>
  using Sum = typename SumOf<T>::Type;
  template <typename S>
  static S combine(S x, S y) {
    return static_cast<S>(Wide<S>(x) + Wide<S>(y));
  }
  static ir::Literal neutral(ir::DType dtype) { return ir::Literal::scalar(dtype, 0); }
};

struct Multiply : Add {
  template <typename S>
  static S combine(S x, S y) {
    return static_cast<S>(Wide<S>(x) * Wide<S>(y));
  }
  static ir::Literal neutral(ir::DType dtype) { return ir::Literal::scalar(dtype, 1); }
};

/// NaN wins; -0 is less than 0.
template <bool kLargest>
struct Extremum {
  template <typename T>
  using Sum = T;
  template <typename T>
  static T combine(T x, T y) {
    T result = (kLargest ? x > y : x < y) ? x : y;
    if constexpr (std::is_floating_point_v<T>) {
      const auto a = std::bit_cast<BitsOf<T>>(x), b = std::bit_cast<BitsOf<T>>(y);
      if (x == y) result = std::bit_cast<T>(kLargest ? a & b : a | b);
      if (x != x) result = x;
    }
    return result;
  }
  static ir::Literal neutral(ir::DType dtype) {
    return kLargest ? ops::least_value(dtype) : ops::greatest_value(dtype);
  }
};

/// Calls f with the kind of combination; false if there is none.
template <typename F>
bool visit_kind(Combiner combiner, const F& f) {
  switch (combiner) {
    case Combiner::kSum: return f(Add()), true;
    case Combiner::kProduct: return f(Multiply()), true;
    case Combiner::kMaximum: return f(Extremum<true>()), true;
    case Combiner::kMinimum: return f(Extremum<false>()), true;
    default: return false;
  }
}

// ---- windows along one axis ----

/// `count` windows along an axis of `extent` elements. Each begins `stride` after the previous one, the first
/// `low` before the axis.
struct Axis {
  std::int64_t extent = 1, count = 1, size = 1, stride = 1, low = 0;
  std::int64_t outer = 1, inner = 1;  // elements before and after the axis, each with windows of its own
  bool is_reversed = false;           // true: traversed from its end

  std::int64_t begin(std::int64_t window) const { return window * stride - low; }
  /// The end of a window that begins at `at`, limited to the axis.
  std::int64_t end(std::int64_t at) const {
    return std::clamp<std::int64_t>(size >= extent - at ? extent : at + size, 0, extent);
  }
  /// The rows kept for a window that begins after the first element: those before the next multiple of the
  /// size, accumulated from there backwards.
  std::int64_t num_kept_rows() const {
    return count == 0 || begin(count - 1) <= 0 ? 0 : std::min(size, extent);
  }
  std::int64_t num_blocks() const { return divide_up(inner, kColumns); }
  std::int64_t num_units() const { return outer * num_blocks(); }
};

/// Traverses from the side where more windows begin outside: these need no rows kept.
void choose_direction(Axis& axis) {
  const std::int64_t high = axis.begin(axis.count - 1) + axis.size - axis.extent;
  axis.is_reversed = axis.count > 0 && high > axis.low;
  if (axis.is_reversed) axis.low = high;
}

/// The lines of up to kColumns adjacent elements. `kept`: num_kept_rows() rows.
///
/// A window that begins at or before the first element is the running total up to its end. Any other window
/// is split at the first multiple of the size in it: the part before was accumulated backwards, the part
/// after is a running total. So each element is added twice, however many windows contain it.
template <typename T, typename Kind, int kFixedColumns>
class Line {
  using Sum = typename Kind::template Sum<T>;

 public:
  Line(const Axis& axis, Sum init, std::int64_t columns, Sum* kept)
      : axis_(axis), init_(init), columns_(columns), kept_(kept) {}

  void run(const T* in, T* out) {
    const std::int64_t step = axis_.is_reversed ? -axis_.inner : axis_.inner;
    if (axis_.is_reversed) {
      in += (axis_.extent - 1) * axis_.inner;
      out += (axis_.count - 1) * axis_.inner;
    }
    std::int64_t window = 0, block = -1;
    restart(0);
    for (; window < axis_.count && axis_.begin(window) <= 0; ++window, out += step) {
      add_until(in, step, axis_.end(axis_.begin(window)));
      store(out, [&](std::int64_t c) { return total_[c]; });
    }
    for (; window < axis_.count; ++window, out += step) {
      const std::int64_t begin = axis_.begin(window);
      if (begin >= axis_.extent) {
        store(out, [&](std::int64_t) { return init_; });
        continue;
      }
      if (begin / axis_.size != block) {
        block = begin / axis_.size;
        restart(axis_.end(block * axis_.size));
        keep(in, step, begin, end_);
      }
      add_until(in, step, axis_.end(begin));
      const Sum* const before = kept_ + (begin - block * axis_.size) * columns();
      store(out, [&](std::int64_t c) { return Kind::combine(before[c], total_[c]); });
    }
  }

 private:
  std::int64_t columns() const { return kFixedColumns > 0 ? kFixedColumns : columns_; }

  void restart(std::int64_t at) {
    end_ = at;
    std::fill_n(total_, columns(), init_);
  }

  void add_until(const T* in, std::int64_t step, std::int64_t end) {
    for (; end_ < end; ++end_)
      for (std::int64_t c = 0; c < columns(); ++c)
        total_[c] = Kind::combine(total_[c], static_cast<Sum>(in[end_ * step + c]));
  }

  /// kept[i - start of the block] = element i combined with those after it, before `end`.
  void keep(const T* in, std::int64_t step, std::int64_t begin, std::int64_t end) {
    const std::int64_t start = begin / axis_.size * axis_.size;
    for (std::int64_t i = end - 1; i >= begin; --i) {
      Sum* const row = kept_ + (i - start) * columns();
      for (std::int64_t c = 0; c < columns(); ++c) {
        const auto x = static_cast<Sum>(in[i * step + c]);
        row[c] = i == end - 1 ? x : Kind::combine(x, row[c + columns()]);
      }
    }
  }

  template <typename F>
  void store(T* out, const F& f) const {
    for (std::int64_t c = 0; c < columns(); ++c) out[c] = static_cast<T>(f(c));
  }

  const Axis& axis_;
  Sum init_;
  std::int64_t columns_;
  Sum* kept_;
  std::int64_t end_ = 0;  // end of the elements in the total
  alignas(64) Sum total_[kFixedColumns > 0 ? kFixedColumns : kColumns];
};

// ---- all axes ----

/// The axes with windows; those that shrink the tensor most come first.
std::vector<Axis> window_axes(const ir::Op& op) {
  const ops::WindowOptions w = ops::window_options(op);
  ir::Dims dims = op.operand(0).dims();
  const ir::Dims& counts = op.result().dims();
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (w.dimensions[d] != 1 || w.strides[d] != 1 || w.padding_low[d] != 0 || counts[d] != dims[d])
      order.push_back(d);
  const auto growth = [&](std::size_t d) {
    return static_cast<double>(counts[d]) / static_cast<double>(std::max<std::int64_t>(dims[d], 1));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return growth(a) < growth(b); });
  std::vector<Axis> axes;
  for (const std::size_t d : order) {
    Axis axis{.extent = dims[d],
              .count = counts[d],
              .size = w.dimensions[d],
              .stride = w.strides[d],
              .low = w.padding_low[d]};
    for (std::size_t i = 0; i < dims.size(); ++i) (i < d ? axis.outer : axis.inner) *= i == d ? 1 : dims[i];
    choose_direction(axis);
    axes.push_back(axis);
    dims[d] = counts[d];
  }
  if (axes.empty()) axes.push_back({.inner = op.result().type().num_elements()});
  return axes;
}

template <typename T, typename Kind>
class ReduceWindowKernel final : public GroupKernel {
  using Sum = typename Kind::template Sum<T>;

 public:
  ReduceWindowKernel(const ir::Op& op, int num_threads) : axes_(window_axes(op)) {
    for (const Axis& axis : axes_) {
      const Pass pass(axis);
      num_slices_ = std::max(num_slices_, pass.num_slices);
      kept_bytes_ =
          std::max(kept_bytes_, whole_lines(static_cast<std::size_t>(pass.kept_elements()) * sizeof(Sum)));
      if (&axis == &axes_.back()) break;
      std::size_t& between = between_bytes_[(&axis - axes_.data()) % 2];
      between = std::max(
          between, whole_lines(static_cast<std::size_t>(axis.outer * axis.count * axis.inner) * sizeof(T)));
    }
    scratch_bytes_ = between_bytes_[0] + between_bytes_[1] +
                     kept_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    const auto init = static_cast<Sum>(*reinterpret_cast<const T*>(memory.operands[1]));
    const std::byte* from = memory.operands[0];
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      std::byte* const between = memory.scratch + (i % 2 == 0 ? 0 : between_bytes_[0]);
      std::byte* const to = i + 1 == axes_.size() ? memory.results[0] : between;
      run_axis(axes_[i], init, reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to),
               memory.scratch + between_bytes_[0] + between_bytes_[1], pool);
      from = to;
    }
  }

 private:
  /// The split of an axis's units into slices, by shapes alone.
  struct Pass {
    explicit Pass(const Axis& cut) : axis(cut) {
      const std::int64_t unit_elements = (axis.extent + axis.count) * std::min(axis.inner, kColumns);
      const std::int64_t least = kReducedElementsPerSlice / std::max<std::int64_t>(unit_elements, 1) + 1;
      chunk = std::max(least, (axis.num_units() + kMaxKernelSlices - 1) / kMaxKernelSlices);
      num_slices = (axis.num_units() + chunk - 1) / chunk;
    }
    std::int64_t kept_elements() const { return axis.num_kept_rows() * std::min(axis.inner, kColumns); }

    const Axis& axis;
    std::int64_t chunk = 1, num_slices = 1;
  };

  void run_axis(const Axis& axis, Sum init, const T* in, T* out, std::byte* scratch, ThreadPool& pool) const {
    const Pass pass(axis);
    ScratchSlots slots(scratch, kept_bytes_);
    for_each_slice(pool, pass.num_slices, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      auto* const kept = reinterpret_cast<Sum*>(lease.data());
      const std::int64_t end = std::min((slice + 1) * pass.chunk, axis.num_units());
      for (std::int64_t unit = slice * pass.chunk; unit < end; ++unit) {
        const std::int64_t line = unit / axis.num_blocks(), column = unit % axis.num_blocks() * kColumns;
        const std::int64_t columns = std::min(kColumns, axis.inner - column);
        const T* const from = in + line * axis.extent * axis.inner + column;
        T* const to = out + line * axis.count * axis.inner + column;
        if (columns == 1)
          Line<T, Kind, 1>(axis, init, columns, kept).run(from, to);
        else
          Line<T, Kind, 0>(axis, init, columns, kept).run(from, to);
      }
    });
  }

  std::vector<Axis> axes_;
  std::size_t between_bytes_[2] = {};  // results between two axes, alternately
  std::size_t kept_bytes_ = 0;         // for each slot
};

}  // namespace

bool has_reduce_window_kernel(const ir::Op& op) {
  if (op.results().size() != 1 || op.result().dtype() == ir::DType::kI1) return false;
  const ops::WindowOptions w = ops::window_options(op);
  if (!ops::all_equal(w.base_dilations, 1) || !ops::all_equal(w.window_dilations, 1) ||
      !ops::is_constant(op.operand(1)))
    return false;
  bool is_neutral = false;
  visit_kind(combiner_of_body(op.region(0)), [&]<typename Kind>(Kind) {
    is_neutral =
        op.operand(1).op()->attributes().get<ir::Literal>("value") == Kind::neutral(op.result().dtype());
  });
  return is_neutral;
}

std::unique_ptr<GroupKernel> make_reduce_window_kernel(const ir::Op& op, const Target& target,
                                                       int num_threads) {
  std::unique_ptr<GroupKernel> kernel;
  const auto make = [&]<typename T>() {
    visit_kind(combiner_of_body(op.region(0)), [&]<typename Kind>(Kind) {
      kernel = std::make_unique<ReduceWindowKernel<T, Kind>>(op, num_threads);
    });
  };
  const bool has_type = ir::visit_dtype(op.result().dtype(), [&]<typename T>() {
    if constexpr (!std::is_same_v<T, bool>) make.template operator()<T>();
  });
  if (has_type) return kernel;
  make.template operator()<float>();
  return make_half_kernel(op, target, std::move(kernel));
}

}  // namespace cornu::inline v0::backends::cpu
