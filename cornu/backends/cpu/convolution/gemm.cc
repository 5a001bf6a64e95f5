#include <algorithm>

#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/loops.h"
#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kMostColumns = 2048;            // of the gathered matrix: taps x channels
constexpr std::int64_t kGatheredElements = 64 * 1024;  // fit in the second-level cache
constexpr double kWorkPerSlice = 2e6;                  // multiply-adds

/// Gathers windows into a matrix and multiplies it by the kernel, a block of rows (batch elements and
/// positions) at a time.
class GemmConvolution final : public GroupKernel {
 public:
  GemmConvolution(const ir::Op& op, const Target& target, int num_threads) : loops_(op), isa_(target.isa) {
    // Rows are in the order of lhs in memory, so that gathering reads sequentially: by batch if that is
    // innermost.
    batch_inside_ = loops_.lhs_batch < loops_.lhs_channel;
    rows_ = loops_.batch * loops_.num_positions;
    taps_at_once_ = std::clamp<std::int64_t>(kMostColumns / std::max<std::int64_t>(loops_.channels, 1), 1,
                                             std::max<std::int64_t>(loops_.num_taps, 1));
    channels_at_once_ = std::min(loops_.channels, kMostColumns);
    const std::int64_t depth = std::max<std::int64_t>(taps_at_once_ * channels_at_once_, 1);
    const double work =
        static_cast<double>(loops_.num_taps * loops_.channels) * static_cast<double>(loops_.features);
    const auto least = static_cast<std::int64_t>(kWorkPerSlice / std::max(work, 1.0)) + 1;
    const std::int64_t most_slices =
        std::max<std::int64_t>(1, kMaxKernelSlices / std::min(loops_.groups, kMaxKernelSlices));
    chunk_ = std::max<std::int64_t>({1, std::min(least, rows_), divide_up(rows_, most_slices)});
    slices_of_group_ = divide_up(rows_, chunk_);
    num_slices_ = slices_of_group_ * loops_.groups;
    block_ = std::clamp<std::int64_t>(kGatheredElements / depth, 16, std::max<std::int64_t>(chunk_, 16));
    kernel_bytes_ = whole_lines(
        static_cast<std::size_t>(loops_.groups * loops_.num_taps * loops_.channels * loops_.features) *
        sizeof(float));
    offsets_bytes_ =
        whole_lines(static_cast<std::size_t>(block_ * (loops_.num_taps + 2)) * sizeof(std::int64_t));
    gathered_bytes_ = whole_lines(static_cast<std::size_t>(block_ * depth) * sizeof(float));
    slot_bytes_ = offsets_bytes_ + gathered_bytes_ +
                  whole_lines(static_cast<std::size_t>(block_ * loops_.features) * sizeof(float));
    scratch_bytes_ = kernel_bytes_ + slot_bytes_ * static_cast<std::size_t>(num_slots(
                                                       std::min(num_slices_, kMaxKernelSlices), num_threads));
  }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    auto* const kernel = reinterpret_cast<float*>(memory.scratch);
    const Kernel packed{kernel, pack(reinterpret_cast<const float*>(memory.operands[1]), kernel)};
    ScratchSlots slots(memory.scratch + kernel_bytes_, slot_bytes_);
    // There may be more groups than slots, so a slot handles several.
    const std::int64_t turns = divide_up(num_slices_, kMaxKernelSlices);
    for_each_slice(pool, std::min(num_slices_, kMaxKernelSlices), [&](std::int64_t first) {
      const ScratchSlots::Lease lease(slots);
      for (std::int64_t turn = 0; turn < turns; ++turn)
        if (const std::int64_t slice = first + turn * kMaxKernelSlices; slice < num_slices_)
          run_slice(slice / slices_of_group_, slice % slices_of_group_ * chunk_, memory, packed,
                    lease.data());
    });
  }

 private:
  struct Kernel {
    const float* data = nullptr;  // [group, tap, channel, feature]
    bool is_finite = true;        // true if all of it is: products with padding's zeros are zero then
  };

  /// Packs the kernel; true if all numbers are finite.
  bool pack(const float* from, float* to) const {
    bool is_finite = true;
    for (std::int64_t group = 0; group < loops_.groups; ++group)
      for (const std::int64_t tap : loops_.rhs_taps)
        for (std::int64_t channel = 0; channel < loops_.channels; ++channel) {
          const float* row = from + group * loops_.rhs_group + tap + channel * loops_.rhs_channel;
          for (std::int64_t feature = 0; feature < loops_.features; ++feature) {
            *to = row[feature * loops_.rhs_feature];
            is_finite &= *to - *to == 0;
            ++to;
          }
        }
    return is_finite;
  }

  void run_slice(std::int64_t group, std::int64_t first_row, const KernelMemory& memory, Kernel kernel,
                 std::byte* scratch) const {
    const std::int64_t end = std::min(rows_, first_row + chunk_);
    const auto* const lhs = reinterpret_cast<const float*>(memory.operands[0]) + group * loops_.lhs_group;
    auto* const result = reinterpret_cast<float*>(memory.results[0]) + group * loops_.result_group;
    kernel.data += group * loops_.num_taps * loops_.channels * loops_.features;
    for (std::int64_t row = first_row; row < end; row += block_)
      run_block(row, std::min(block_, end - row), lhs, kernel, result, scratch);
  }

  void run_block(std::int64_t first_row, std::int64_t rows, const float* lhs, const Kernel& kernel,
                 float* result, std::byte* scratch) const {
    auto* const tap_offsets = reinterpret_cast<std::int64_t*>(scratch);        // [rows, taps]
    std::int64_t* const row_offsets = tap_offsets + block_ * loops_.num_taps;  // in lhs, by batch
    std::int64_t* const result_offsets = row_offsets + block_;
    auto* const gathered = reinterpret_cast<float*>(scratch + offsets_bytes_);
    auto* const sums = reinterpret_cast<float*>(scratch + offsets_bytes_ + gathered_bytes_);
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t row = first_row + r;
      const std::int64_t batch = batch_inside_ ? row % loops_.batch : row / loops_.num_positions;
      const std::int64_t position = batch_inside_ ? row / loops_.batch : row % loops_.num_positions;
      result_offsets[r] =
          batch * loops_.result_batch + loops_.fill_offsets(position, tap_offsets + r * loops_.num_taps);
      row_offsets[r] = batch * loops_.lhs_batch;
    }
    bool accumulate = false;
    for (std::int64_t tap = 0; tap < loops_.num_taps; tap += taps_at_once_)
      for (std::int64_t channel = 0; channel < loops_.channels; channel += channels_at_once_) {
        const std::int64_t taps = std::min(taps_at_once_, loops_.num_taps - tap),
                           channels = std::min(channels_at_once_, loops_.channels - channel);
        gather(rows, {tap, taps, channel, channels}, lhs, tap_offsets, row_offsets, gathered);
        const std::int64_t depth = taps * channels;
        kernels::gemm(isa_, {.transpose_a = batch_inside_,
                             .accumulate = accumulate,
                             .m = rows,
                             .n = loops_.features,
                             .k = depth,
                             .a = gathered,
                             .lda = batch_inside_ ? rows : depth,
                             .b = kernel.data + (tap * loops_.channels + channel) * loops_.features,
                             .ldb = loops_.features,
                             .c = sums,
                             .ldc = loops_.features});
        accumulate = true;
      }
    if (!accumulate) std::fill_n(sums, rows * loops_.features, 0.0F);
    if (!kernel.is_finite)
      for (std::int64_t r = 0; r < rows; ++r)
        sum_without_padding(lhs + row_offsets[r], tap_offsets + r * loops_.num_taps, kernel.data,
                            sums + r * loops_.features);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t feature = 0; feature < loops_.features; ++feature)
        result[result_offsets[r] + feature * loops_.result_feature] = sums[r * loops_.features + feature];
  }

  /// Recomputes a row, if it has padding, by loops that skip padding: zero times infinity would be NaN.
  void sum_without_padding(const float* lhs, const std::int64_t* tap_offsets, const float* kernel,
                           float* sums) const {
    if (std::none_of(tap_offsets, tap_offsets + loops_.num_taps,
                     [](std::int64_t offset) { return offset < 0; }))
      return;
    std::fill_n(sums, loops_.features, 0.0F);
    for (std::int64_t tap = 0; tap < loops_.num_taps; ++tap) {
      if (tap_offsets[tap] < 0) continue;
      for (std::int64_t channel = 0; channel < loops_.channels; ++channel) {
        const float factor = lhs[tap_offsets[tap] + channel * loops_.lhs_channel];
        const float* const weights = kernel + (tap * loops_.channels + channel) * loops_.features;
        for (std::int64_t feature = 0; feature < loops_.features; ++feature)
          sums[feature] += factor * weights[feature];
      }
    }
  }

  struct Part {
    std::int64_t tap, taps, channel, channels;
  };

  /// Gathers [rows, taps, channels], with the rows innermost if the batch is.
  void gather(std::int64_t rows, const Part& part, const float* lhs, const std::int64_t* tap_offsets,
              const std::int64_t* row_offsets, float* out) const {
    const auto offset = [&](std::int64_t row, std::int64_t tap) {
      return tap_offsets[row * loops_.num_taps + part.tap + tap];
    };
    if (batch_inside_) {
      for (std::int64_t tap = 0; tap < part.taps; ++tap)
        for (std::int64_t channel = 0; channel < part.channels; ++channel, out += rows) {
          const float* const from = lhs + (part.channel + channel) * loops_.lhs_channel;
          for (std::int64_t r = 0; r < rows; ++r)
            out[r] = offset(r, tap) < 0 ? 0.0F : from[row_offsets[r] + offset(r, tap)];
        }
      return;
    }
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t tap = 0; tap < part.taps; ++tap, out += part.channels) {
        if (offset(r, tap) < 0) {
          std::fill_n(out, part.channels, 0.0F);
          continue;
        }
        const float* const from = lhs + row_offsets[r] + offset(r, tap) + part.channel * loops_.lhs_channel;
        for (std::int64_t channel = 0; channel < part.channels; ++channel)
          out[channel] = from[channel * loops_.lhs_channel];
      }
  }

  ConvolutionLoops loops_;
  IsaLevel isa_;
  bool batch_inside_ = false;
  std::int64_t rows_ = 0, chunk_ = 1, slices_of_group_ = 1, block_ = 1, taps_at_once_ = 1,
               channels_at_once_ = 1;
  std::size_t kernel_bytes_ = 0, offsets_bytes_ = 0, gathered_bytes_ = 0, slot_bytes_ = 0;
};

}  // namespace

std::unique_ptr<GroupKernel> make_gemm_convolution(const ir::Op& op, const Target& target, int num_threads) {
  return std::make_unique<GemmConvolution>(op, target, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu
