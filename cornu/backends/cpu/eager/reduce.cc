#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/base/divide_up.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0::backends::cpu::eager {
namespace {

constexpr std::int64_t kAddendsPerSlice = 64 * 1024;
constexpr std::int64_t kMaxParts = 16;
constexpr std::int64_t kBlock = 512;  // accumulators on the stack
constexpr std::int64_t kMaxSplitResults = 4096;

struct Axis {
  std::int64_t extent, stride;
};

/// Calls f(offset in bytes) for every index of the axes.
template <typename F>
void walk(std::span<const Axis> axes, std::int64_t bytes, const F& f, std::int64_t offset = 0) {
  if (axes.empty()) return f(offset);
  for (std::int64_t i = 0; i < axes[0].extent; ++i)
    walk(axes.subspan(1), bytes, f, offset + i * axes[0].stride * bytes);
}

/// Results are cut into units: one result (the last axis is reduced) or a block of neighbours of one row. A
/// large reduction to few results is cut into parts of its outermost reduced axis, which are merged in order.
class ReduceStep final : public Step {
 public:
  ReduceStep(const View& x, const View& init, const View& result, const ir::Dims& dimensions,
             const ReduceKernels& kernels)
      : x_slot_(x.slot),
        init_slot_(init.slot),
        result_slot_(result.slot),
        kernels_(kernels),
        x_offset_(x.offset * static_cast<std::int64_t>(x.element_bytes)),
        init_offset_(init.offset * static_cast<std::int64_t>(x.element_bytes)),
        bytes_(static_cast<std::int64_t>(x.element_bytes)) {
    std::vector<std::pair<Axis, bool>> axes;
    std::int64_t stride = 1;
    for (std::size_t d = x.dims.size(); d-- > 0;) {  // from the last
      const bool reduced =
          std::find(dimensions.begin(), dimensions.end(), static_cast<std::int64_t>(d)) != dimensions.end();
      if (x.dims[d] != 1) {
        if (!axes.empty() && axes.back().second == reduced)
          axes.back().first.extent *= x.dims[d];
        else
          axes.push_back({{x.dims[d], stride}, reduced});
      }
      stride *= x.dims[d];
    }
    num_elements_ = stride;
    if (!axes.empty()) {
      folds_ = axes[0].second;
      length_ = axes[0].first.extent;
    }
    for (std::size_t i = axes.size(); i-- > 1;) (axes[i].second ? reduced_ : kept_).push_back(axes[i].first);
    num_rows_ = 1;
    for (const Axis& axis : kept_) num_rows_ *= axis.extent;
    blocks_per_row_ = folds_ ? 1 : divide_up(length_, kBlock);
    num_results_ = result.num_elements();
    choose_slices();
  }

  void run(const Run& run) const override {
    std::byte* const out = run.slots[result_slot_];
    if (num_results_ == 0) return;
    if (num_parts_ > 1) return run_parts(run, out);
    const std::int64_t units = num_rows_ * blocks_per_row_;
    if (num_slices_ == 1) return run_units(run.slots, 0, units, out);
    struct Work {
      const ReduceStep* step;
      std::byte* const* slots;
      std::int64_t units;
      std::byte* out;
    } work{this, run.slots, units, out};
    run.pool->parallel_for(
        num_slices_,
        [](void* data, std::int64_t slice) {
          const Work& w = *static_cast<const Work*>(data);
          const std::int64_t begin = slice * w.step->units_per_slice_;
          w.step->run_units(w.slots, begin, std::min(begin + w.step->units_per_slice_, w.units), w.out);
        },
        &work);
  }

 private:
  void choose_slices() {
    if (num_elements_ < 2 * kAddendsPerSlice) return;
    const std::int64_t wanted = num_elements_ / kAddendsPerSlice;
    const std::int64_t units = num_rows_ * blocks_per_row_;
    const std::int64_t split = reduced_.empty() ? (folds_ ? length_ : 1) : reduced_[0].extent;
    if (units < 4 && num_results_ <= kMaxSplitResults && split >= 4) {
      num_parts_ = std::min({wanted, kMaxParts, split});
      return;
    }
    units_per_slice_ = std::max<std::int64_t>(1, units / wanted);
    num_slices_ = divide_up(units, units_per_slice_);
  }

  static void convert(ElementwiseKernel kernel, std::int64_t n, const std::byte* from, std::byte* to) {
    const std::int64_t stride = 1;
    kernel(n, &from, &stride, to);
  }
  std::int64_t accumulator_offset(std::int64_t i) const {
    return i * static_cast<std::int64_t>(kernels_.accumulator_bytes);
  }

  // The kernels' functions, on elements of the tensor. Those of halves are not inlined: their buffers would
  // give all calls a guarded stack frame.
  void fill(std::int64_t n, const std::byte* value, std::byte* accumulators) const {
    std::byte wide[sizeof(float)];
    if (kernels_.widen != nullptr) convert(kernels_.widen, 1, std::exchange(value, wide), wide);
    kernels_.fill(n, value, accumulators);
  }
  void fold(std::int64_t n, const std::byte* x, std::byte* accumulators) const {
    if (kernels_.widen != nullptr) return combine_halves(n, x, accumulators, kernels_.fold, 0);
    kernels_.fold(n, x, accumulators);
  }
  void add_row(std::int64_t n, const std::byte* x, std::byte* accumulators) const {
    if (kernels_.widen != nullptr) return combine_halves(n, x, accumulators, kernels_.add_row, 1);
    kernels_.add_row(n, x, accumulators);
  }
  void finish(std::int64_t n, const std::byte* accumulators, std::byte* out) const {
    if (kernels_.narrow != nullptr) return finish_halves(n, accumulators, out);
    kernels_.finish(n, accumulators, out);
  }

  /// Block by block; `stride` is that of the accumulators.
  [[gnu::noinline]] void combine_halves(std::int64_t n, const std::byte* x, std::byte* accumulators,
                                        decltype(ReduceKernels::fold) combine, std::int64_t stride) const {
    alignas(float) std::byte wide[kBlock * sizeof(float)];
    for (std::int64_t begin = 0; begin < n; begin += kBlock) {
      const std::int64_t count = std::min(kBlock, n - begin);
      convert(kernels_.widen, count, x + begin * bytes_, wide);
      combine(count, wide, accumulators + accumulator_offset(begin * stride));
    }
  }
  [[gnu::noinline]] void finish_halves(std::int64_t n, const std::byte* accumulators, std::byte* out) const {
    alignas(float) std::byte wide[kBlock * sizeof(float)];
    for (std::int64_t begin = 0; begin < n; begin += kBlock) {
      const std::int64_t count = std::min(kBlock, n - begin);
      kernels_.finish(count, accumulators + accumulator_offset(begin), wide);
      convert(kernels_.narrow, count, wide, out + begin * bytes_);
    }
  }

  /// Combines one unit's elements with `accumulators`; of the split axis only [begin, end), everything when
  /// end is negative.
  void accumulate(const std::byte* x, std::int64_t count, std::byte* accumulators, std::int64_t begin,
                  std::int64_t end) const {
    if (reduced_.empty()) {
      if (!folds_) return add_row(count, x, accumulators);
      return end < 0 ? fold(length_, x, accumulators) : fold(end - begin, x + begin * bytes_, accumulators);
    }
    Axis first = reduced_[0];
    if (end >= 0) {
      x += begin * first.stride * bytes_;
      first.extent = end - begin;
    }
    for (std::int64_t i = 0; i < first.extent; ++i)
      walk(std::span(reduced_).subspan(1), bytes_, [&](std::int64_t offset) {
        const std::byte* const at = x + i * first.stride * bytes_ + offset;
        if (folds_)
          fold(length_, at, accumulators);
        else
          add_row(count, at, accumulators);
      });
  }

  std::int64_t row_offset(std::int64_t row) const {
    std::int64_t offset = 0;
    for (std::size_t d = kept_.size(); d-- > 0; row /= kept_[d].extent)
      offset += row % kept_[d].extent * kept_[d].stride;
    return offset * bytes_;
  }

  // Neighbouring single results share the buffer, so that their ends are rounded together.
  void run_units(std::byte* const* slots, std::int64_t begin, std::int64_t end, std::byte* out) const {
    alignas(64) std::byte accumulators[kBlock * sizeof(double)];
    const std::byte* const x = slots[x_slot_] + x_offset_;
    const std::byte* const init = slots[init_slot_] + init_offset_;
    const std::int64_t group = folds_ ? kBlock : 1;
    for (std::int64_t unit = begin; unit < end; unit += group) {
      if (folds_) {
        const std::int64_t count = std::min(group, end - unit);
        fill(count, init, accumulators);
        for (std::int64_t i = 0; i < count; ++i)
          accumulate(x + row_offset(unit + i), 1, accumulators + accumulator_offset(i), 0, -1);
        finish(count, accumulators, out + unit * bytes_);
        continue;
      }
      const std::int64_t row = unit / blocks_per_row_, column = unit % blocks_per_row_ * kBlock;
      const std::int64_t count = std::min(kBlock, length_ - column);
      fill(count, init, accumulators);
      accumulate(x + row_offset(row) + column * bytes_, count, accumulators, 0, -1);
      finish(count, accumulators, out + (row * length_ + column) * bytes_);
    }
  }

  void run_parts(const Run& run, std::byte* out) const {
    const auto part_bytes = static_cast<std::size_t>(num_results_) * kernels_.accumulator_bytes;
    std::vector<std::byte> partial(part_bytes * static_cast<std::size_t>(num_parts_));
    struct Work {
      const ReduceStep* step;
      std::byte* const* slots;
      std::byte* partial;
      std::size_t part_bytes;
    } work{this, run.slots, partial.data(), part_bytes};
    run.pool->parallel_for(
        num_parts_,
        [](void* data, std::int64_t part) {
          const Work& w = *static_cast<const Work*>(data);
          w.step->run_part(w.slots, part, w.partial + static_cast<std::size_t>(part) * w.part_bytes);
        },
        &work);
    for (std::int64_t part = 1; part < num_parts_; ++part)
      kernels_.merge(num_results_, partial.data() + static_cast<std::size_t>(part) * part_bytes,
                     partial.data());
    finish(num_results_, partial.data(), out);
  }

  void run_part(std::byte* const* slots, std::int64_t part, std::byte* accumulators) const {
    const std::int64_t extent = reduced_.empty() ? length_ : reduced_[0].extent;
    const std::int64_t per_part = divide_up(extent, num_parts_);
    const std::int64_t begin = std::min(part * per_part, extent), end = std::min(begin + per_part, extent);
    const std::byte* const x = slots[x_slot_] + x_offset_;
    const std::int64_t per_row = folds_ ? 1 : length_;
    if (part == 0)
      fill(num_results_, slots[init_slot_] + init_offset_, accumulators);
    else
      kernels_.fill_neutral(num_results_, accumulators);
    for (std::int64_t row = 0; row < num_rows_; ++row)
      accumulate(x + row_offset(row), per_row, accumulators + accumulator_offset(row * per_row), begin, end);
  }

  int x_slot_, init_slot_, result_slot_;
  ReduceKernels kernels_;
  std::int64_t x_offset_, init_offset_, bytes_;
  bool folds_ = false;                // the last axis is reduced
  std::int64_t length_ = 1;           // its extent
  std::vector<Axis> kept_, reduced_;  // the others, outermost first
  std::int64_t num_rows_ = 1, blocks_per_row_ = 1, num_results_ = 1, num_elements_ = 1;
  std::int64_t units_per_slice_ = 1, num_slices_ = 1, num_parts_ = 1;
};

}  // namespace

std::unique_ptr<Step> make_reduce_step(const View& x, const View& init, const View& result,
                                       const ir::Dims& dimensions, const ReduceKernels& kernels) {
  return std::make_unique<ReduceStep>(x, init, result, dimensions, kernels);
}

}  // namespace cornu::inline v0::backends::cpu::eager
