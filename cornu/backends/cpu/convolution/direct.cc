#include <algorithm>
#include <type_traits>

#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/loops.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Integers wrap: sums are of unsigned numbers.
template <typename T>
using Sum = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

/// Computes a row of sums for each position, one for each feature; the kernel is copied so that a row of
/// features is contiguous.
template <typename T>
class DirectConvolution final : public GroupKernel {
 public:
  DirectConvolution(const ir::Op& op, int num_threads) : loops_(op) {
    rows_ = loops_.groups * loops_.batch * loops_.num_positions;
    constexpr std::int64_t kWorkPerSlice = 200000;
    const std::int64_t work = std::max<std::int64_t>(loops_.num_taps * loops_.channels * loops_.features, 1);
    const std::int64_t least =
        std::clamp<std::int64_t>(kWorkPerSlice / work, 1, std::max<std::int64_t>(rows_, 1));
    chunk_ = std::max<std::int64_t>(least, divide_up(rows_, kMaxKernelSlices));
    num_slices_ = divide_up(rows_, chunk_);
    kernel_bytes_ = whole_lines(static_cast<std::size_t>(loops_.groups * work) * sizeof(Sum<T>));
    sums_offset_ = whole_lines(static_cast<std::size_t>(loops_.num_taps + 1) * sizeof(std::int64_t));
    slot_bytes_ = sums_offset_ + whole_lines(static_cast<std::size_t>(loops_.features) * sizeof(Sum<T>));
    scratch_bytes_ =
        kernel_bytes_ + slot_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    auto* const kernel = reinterpret_cast<Sum<T>*>(memory.scratch);
    pack(reinterpret_cast<const T*>(memory.operands[1]), kernel);
    ScratchSlots slots(memory.scratch + kernel_bytes_, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t end = std::min(rows_, (slice + 1) * chunk_);
      for (std::int64_t row = slice * chunk_; row < end; ++row)
        run_row(row, reinterpret_cast<const T*>(memory.operands[0]), kernel,
                reinterpret_cast<T*>(memory.results[0]), lease.data());
    });
  }

 private:
  /// [group, tap, channel, feature]
  void pack(const T* from, Sum<T>* to) const {
    for (std::int64_t group = 0; group < loops_.groups; ++group)
      for (const std::int64_t tap : loops_.rhs_taps)
        for (std::int64_t channel = 0; channel < loops_.channels; ++channel)
          for (std::int64_t feature = 0; feature < loops_.features; ++feature)
            *to++ = static_cast<Sum<T>>(from[group * loops_.rhs_group + tap + channel * loops_.rhs_channel +
                                             feature * loops_.rhs_feature]);
  }

  void run_row(std::int64_t row, const T* lhs, const Sum<T>* kernel, T* result, std::byte* scratch) const {
    auto* const offsets = reinterpret_cast<std::int64_t*>(scratch);
    auto* const sums = reinterpret_cast<Sum<T>*>(scratch + sums_offset_);
    const std::int64_t position = row % loops_.num_positions, image = row / loops_.num_positions;
    const std::int64_t batch = image % loops_.batch, group = image / loops_.batch;
    result +=
        loops_.fill_offsets(position, offsets) + batch * loops_.result_batch + group * loops_.result_group;
    lhs += batch * loops_.lhs_batch + group * loops_.lhs_group;
    kernel += group * loops_.num_taps * loops_.channels * loops_.features;
    const std::int64_t features = loops_.features;
    std::fill_n(sums, features, Sum<T>{0});
    for (std::int64_t tap = 0; tap < loops_.num_taps; ++tap) {
      const Sum<T>* weights = kernel + tap * loops_.channels * features;
      if (offsets[tap] < 0) continue;
      const T* x = lhs + offsets[tap];
      for (std::int64_t channel = 0; channel < loops_.channels; ++channel, weights += features) {
        const auto factor = static_cast<Sum<T>>(x[channel * loops_.lhs_channel]);
        for (std::int64_t feature = 0; feature < features; ++feature)
          sums[feature] += factor * weights[feature];
      }
    }
    for (std::int64_t feature = 0; feature < features; ++feature)
      result[feature * loops_.result_feature] = static_cast<T>(sums[feature]);
  }

  ConvolutionLoops loops_;
  std::int64_t rows_ = 0, chunk_ = 1;
  std::size_t kernel_bytes_ = 0, sums_offset_ = 0, slot_bytes_ = 0;
};

}  // namespace

std::unique_ptr<GroupKernel> make_direct_convolution(const ir::Op& op, int num_threads) {
  std::unique_ptr<GroupKernel> kernel;
  ir::visit_dtype(op.result().dtype(), [&]<typename T>() {
    if constexpr (!std::is_same_v<T, bool>) kernel = std::make_unique<DirectConvolution<T>>(op, num_threads);
  });
  CORNU_CHECK(kernel != nullptr, "no convolution of {}", op.result().type().str());
  return kernel;
}

}  // namespace cornu::inline v0::backends::cpu
