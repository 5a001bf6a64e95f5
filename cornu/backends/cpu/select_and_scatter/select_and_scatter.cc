#include "cornu/backends/cpu/select_and_scatter/select_and_scatter.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/backends/cpu/elements/scalar_function.h"
#include "cornu/backends/cpu/kernels/half_kernel.h"
#include "cornu/backends/cpu/select_and_scatter/lanes.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kMostLanes = 256;  // channels at a time; their state is on the stack

/// Dimensions without windows are images before those with windows, and channels after them.
struct Windows {
  explicit Windows(const ir::Op& op) {
    const ops::PoolWindow window = ops::select_window(op);
    const ir::Dims &operand = op.operand(0).dims(), &source = op.operand(1).dims();
    const auto is_plain = [&](std::size_t d) {
      return window.dimensions[d] == 1 && window.strides[d] == 1 && window.padding_low[d] == 0 &&
             window.padding_high[d] == 0;
    };
    std::size_t first = 0, last = operand.size();
    while (first < last && is_plain(first)) images *= operand[first++];
    while (last > first && is_plain(last - 1)) channels *= operand[--last];
    for (std::size_t d = first; d < last; ++d) {
      extents.push_back(operand[d]);
      counts.push_back(source[d]);
      sizes.push_back(window.dimensions[d]);
      strides.push_back(window.strides[d]);
      padding.push_back(window.padding_low[d]);
    }
    steps = ir::row_major_strides(extents);
    for (std::int64_t count : counts) num_windows *= count;
    for (std::int64_t extent : extents) num_places *= extent;
    double num_taps = 1;
    for (std::int64_t size : sizes) num_taps *= static_cast<double>(size);
    if (num_taps > kFewTaps) return;
    ir::Dims tap(sizes.size(), 0);
    for (int i = 0; i < static_cast<int>(num_taps); ++i, advance(tap, sizes))
      taps.push_back(static_cast<std::int32_t>(
          std::inner_product(tap.begin(), tap.end(), steps.begin(), std::int64_t{0})));
  }

  static void advance(ir::Dims& index, const ir::Dims& limits) {
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < limits[d]) return;
      index[d] = 0;
    }
  }

  /// Calls f(number of the position) for each position of the window, without padding; its channels in the
  /// operand begin at number * channels.
  template <typename F>
  void for_each_place(const ir::Dims& window, const F& f) const {
    std::array<std::int64_t, kMostAxes> inside, index{};
    std::int64_t place = 0;
    bool is_whole = !taps.empty();
    for (std::size_t d = 0; d < window.size(); ++d) {
      const std::int64_t begin = window[d] * strides[d] - padding[d],
                         first = std::max<std::int64_t>(begin, 0);
      inside[d] = std::min(extents[d], begin + sizes[d]) - first;
      if (inside[d] <= 0) return;
      is_whole = is_whole && inside[d] == sizes[d];
      place += first * steps[d];
    }
    if (is_whole) {
      for (const std::int32_t tap : taps) f(static_cast<std::int32_t>(place) + tap);
      return;
    }
    for (;;) {
      f(static_cast<std::int32_t>(place));
      std::size_t d = window.size();
      for (; d > 0; --d) {
        place += steps[d - 1];
        if (++index[d - 1] < inside[d - 1]) break;
        place -= inside[d - 1] * steps[d - 1];
        index[d - 1] = 0;
      }
      if (d == 0) return;
    }
  }

  static constexpr std::size_t kMostAxes = 16;
  static constexpr double kFewTaps = 16;
  std::int64_t images = 1, channels = 1, num_windows = 1, num_places = 1;
  ir::Dims extents, counts, sizes, strides, padding;  // of the dimensions between images and channels
  ir::Dims steps;                                     // between adjacent positions
  std::vector<std::int32_t> taps;  // positions of a window relative to its first one, if they are few
};

/// Distributes images, and parts of at most kMostLanes channels if there are few images.
class WindowKernel : public GroupKernel {
 public:
  explicit WindowKernel(const ir::Op& op) : windows_(op) {
    // With few channels at a time the calls for each position of a window take most of the time.
    constexpr std::int64_t kManyImages = 16;
    const std::int64_t fewest = windows_.images >= kManyImages ? 64 : 16;
    const std::int64_t lines =
        windows_.channels > fewest && windows_.images < kMaxKernelSlices
            ? std::max(fewest,
                       (windows_.channels * windows_.images + kMaxKernelSlices - 1) / kMaxKernelSlices)
            : windows_.channels;
    lanes_ = std::clamp<std::int64_t>(lines, 1, kMostLanes);
    parts_ = (windows_.channels + lanes_ - 1) / lanes_;
    units_ = windows_.images * parts_;
    constexpr std::int64_t kElementsPerSlice = 8192;
    const std::int64_t least =
        kElementsPerSlice / std::max<std::int64_t>(windows_.num_places * lanes_, 1) + 1;
    chunk_ = std::max(least, divide_up(units_, kMaxKernelSlices));
    num_slices_ = divide_up(units_, chunk_);
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      for (std::int64_t unit = slice * chunk_; unit < std::min(units_, (slice + 1) * chunk_); ++unit) {
        const std::int64_t image = unit / parts_, channel = unit % parts_ * lanes_;
        run_unit(memory, image, channel, std::min(lanes_, windows_.channels - channel));
      }
    });
  }

 protected:
  virtual void run_unit(const KernelMemory& memory, std::int64_t image, std::int64_t channel,
                        std::int64_t lanes) const = 0;
  const Windows& windows() const { return windows_; }

 private:
  Windows windows_;
  std::int64_t lanes_ = 1, parts_ = 1, units_ = 1, chunk_ = 1;
};

/// Selects by >= or <= and adds.
template <typename T>
class AddingKernel final : public WindowKernel {
 public:
  AddingKernel(const ir::Op& op, const LaneLoops<T>& loops) : WindowKernel(op), loops_(loops) {}

 private:
  void run_unit(const KernelMemory& memory, std::int64_t image, std::int64_t channel,
                std::int64_t lanes) const override {
    const Windows& w = windows();
    const std::int64_t first = image * w.num_places * w.channels + channel;
    const T* const operand = reinterpret_cast<const T*>(memory.operands[0]) + first;
    const T* source =
        reinterpret_cast<const T*>(memory.operands[1]) + image * w.num_windows * w.channels + channel;
    const T init = *reinterpret_cast<const T*>(memory.operands[2]);
    T* const result = reinterpret_cast<T*>(memory.results[0]) + first;
    if (lanes == w.channels)
      std::fill_n(result, w.num_places * lanes, init);
    else
      for (std::int64_t place = 0; place < w.num_places; ++place)
        std::fill_n(result + place * w.channels, lanes, init);
    alignas(64) T kept[kMostLanes];
    alignas(64) std::int32_t at[kMostLanes];
    ir::Dims window(w.counts.size(), 0);
    for (std::int64_t i = 0; i < w.num_windows;
         ++i, source += w.channels, Windows::advance(window, w.counts)) {
      bool any = false;
      w.for_each_place(window, [&](std::int32_t place) {
        const T* const x = operand + place * w.channels;
        if (any) return loops_.keep(lanes, x, place, kept, at);
        any = true;
        std::copy_n(x, lanes, kept);
        std::fill_n(at, lanes, place);
      });
      if (!any) continue;
      if (!w.taps.empty()) {  // a pass over the channels for each; else one element at a time
        w.for_each_place(window, [&](std::int32_t place) {
          loops_.add_selected(lanes, source, at, place, result + place * w.channels);
        });
        continue;
      }
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        T& sum = result[at[lane] * w.channels + lane];
        sum = wrapping_sum(sum, source[lane]);
      }
    }
  }

  LaneLoops<T> loops_;
};

/// Supports any bodies; elements are bytes.
class GeneralKernel final : public WindowKernel {
 public:
  GeneralKernel(const ir::Op& op, const Target& target)
      : WindowKernel(op),
        select_(elements::ScalarFunction::make(op.region(0), elements::kernel_set(target.isa))),
        scatter_(elements::ScalarFunction::make(op.region(1), elements::kernel_set(target.isa))),
        bytes_(ir::size_bytes(op.result().dtype())) {}

 private:
  void run_unit(const KernelMemory& memory, std::int64_t image, std::int64_t channel,
                std::int64_t lanes) const override {
    const Windows& w = windows();
    const auto position = [&](std::int64_t elements) { return elements * static_cast<std::int64_t>(bytes_); };
    const std::int64_t first = position(image * w.num_places * w.channels + channel);
    const std::byte* const operand = memory.operands[0] + first;
    const std::byte* source = memory.operands[1] + position(image * w.num_windows * w.channels + channel);
    std::byte* const result = memory.results[0] + first;
    for (std::int64_t place = 0; place < w.num_places; ++place)
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        std::memcpy(result + position(place * w.channels + lane), memory.operands[2], bytes_);
    alignas(64) std::byte kept[kMostLanes * sizeof(std::uint64_t)], sums[sizeof kept], next[sizeof kept],
        stays[kMostLanes];
    std::int64_t at[kMostLanes];
    ir::Dims window(w.counts.size(), 0);
    for (std::int64_t i = 0; i < w.num_windows;
         ++i, source += position(w.channels), Windows::advance(window, w.counts)) {
      bool any = false;
      w.for_each_place(window, [&](std::int32_t number) {
        const std::int64_t place = number * w.channels;
        const std::byte* const x = operand + position(place);
        if (any) {
          const std::byte* const pair[] = {kept, x};
          std::byte* const out = stays;
          select_->run(lanes, pair, 1, &out);
        }
        for (std::int64_t lane = 0; lane < lanes; ++lane) {
          if (any && stays[lane] != std::byte{0}) continue;
          std::memcpy(kept + position(lane), x + position(lane), bytes_);
          at[lane] = place;
        }
        any = true;
      });
      if (!any) continue;
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        std::memcpy(sums + position(lane), result + position(at[lane] + lane), bytes_);
      const std::byte* const pair[] = {sums, source};
      std::byte* const out = next;
      scatter_->run(lanes, pair, 1, &out);
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        std::memcpy(result + position(at[lane] + lane), next + position(lane), bytes_);
    }
  }

  std::shared_ptr<const elements::ScalarFunction> select_, scatter_;
  std::size_t bytes_;
};

template <typename T>
std::unique_ptr<GroupKernel> make_adding_kernel(const ir::Op& op, const Target& target) {
  const bool greater = ops::selects_by(op.region(0), "GE");
  return std::make_unique<AddingKernel<T>>(
      op, greater ? lane_loops<T, true>(target.isa) : lane_loops<T, false>(target.isa));
}

}  // namespace

bool has_select_and_scatter_kernel(const ir::Op& op) {
  const auto has_function = [](const ir::Block& body) {
    return elements::ScalarFunction::make(body, elements::kernel_set(IsaLevel::kSse2)) != nullptr;
  };
  const Windows windows(op);
  if (windows.extents.size() > Windows::kMostAxes ||
      windows.num_places > std::numeric_limits<std::int32_t>::max())
    return false;
  return transform::captured_values(op).empty() && has_function(op.region(0)) && has_function(op.region(1));
}

std::unique_ptr<GroupKernel> make_select_and_scatter_kernel(const ir::Op& op, const Target& target, int) {
  const bool simple = ops::selects_by(op.region(0), "GE") || ops::selects_by(op.region(0), "LE");
  if (!simple || combiner_of_body(op.region(1)) != Combiner::kSum)
    return std::make_unique<GeneralKernel>(op, target);
  std::unique_ptr<GroupKernel> kernel;
  const bool has_type =
      ir::visit_dtype(op.result().dtype(), [&]<typename T>() { kernel = make_adding_kernel<T>(op, target); });
  if (!has_type) return make_half_kernel(op, target, make_adding_kernel<float>(op, target));
  return kernel;
}

}  // namespace cornu::inline v0::backends::cpu
