#include <algorithm>
#include <array>

#include "cornu/backends/cpu/convolution/winograd.h"
#include "cornu/backends/cpu/convolution/winograd_tiles.h"
#include "cornu/backends/cpu/convolution/winograd_transforms.h"
#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using winograd::Images;
using winograd::kMaxPoints;
using winograd::kMaxTaps;
using winograd::Pair;
using winograd::Parts;
using winograd::Tiles;

constexpr std::int64_t kChannelsAtOnce = 64;  // on either side: sums of 36 points of 64 x 64 are 576 KiB
constexpr std::int64_t kBlockBytes = 384 * 1024;
constexpr std::int64_t kFewestTiles = 16,
                       kMostTiles = 64;  // in a block: all sums are read and written once for them
constexpr std::int64_t kWantedSlices = 16;
constexpr std::int64_t kTilesOfSum = 64;  // at least, for an additional partial sum
constexpr std::int64_t kMostPartialBytes = std::int64_t{64} << 20;

/// The kernel's gradient. A slice is a range of tiles and a part of the channels on both sides; it sums
/// products of points. Then the sums of the ranges are added in order and transformed; those of a single range by the
/// slice that made them.
class WinogradBackwardWeights final : public GroupKernel {
 public:
  WinogradBackwardWeights(const ConvolutionProblem& p, int outputs, IsaLevel level, int num_threads)
      : level_(level),
        source_(winograd::source_images(p)),
        gradient_(winograd::destination_images(p)),
        transforms_(winograd::transforms(level, outputs, winograd_axes(p))),
        tiles_(p, gradient_, outputs),
        inputs_(p.inputs, kChannelsAtOnce, 16),
        outputs_(p.outputs, kChannelsAtOnce, kernels::kGemmColumns),
        ranges_(tiles_.count, tiles_of_range(), 1),
        tiles_at_once_(std::clamp(kBlockBytes / (4 * transforms_.points * (inputs_.size + outputs_.size)),
                                  kFewestTiles, kMostTiles)),
        strides_(p.weights_strides),
        taps_a_row_(p.axes[1].kernel),
        padding_{p.axes[0].padding_low, p.axes[1].padding_low} {
    num_slices_ = ranges_.count * inputs_.count * outputs_.count;
    sum_point_ = winograd::point_stride(inputs_.size * outputs_.size);
    slice_sums_ = transforms_.points * sum_point_;
    zeros_offset_ = has_one_range()
                        ? 0
                        : whole_lines(static_cast<std::size_t>(num_slices_ * slice_sums_) * sizeof(float));
    slots_offset_ =
        zeros_offset_ +
        whole_lines(static_cast<std::size_t>(std::max(inputs_.size, outputs_.size)) * sizeof(float));
    source_point_ = winograd::point_stride(tiles_at_once_ * inputs_.size);
    gradient_point_ = winograd::point_stride(tiles_at_once_ * outputs_.size);
    points_offset_ = has_one_range() ? slice_sums_ : 0;
    slot_bytes_ = whole_lines(
        static_cast<std::size_t>(points_offset_ + transforms_.points * (source_point_ + gradient_point_)) *
        sizeof(float));
    scratch_bytes_ = slots_offset_ + slot_bytes_ * static_cast<std::size_t>(num_slots(
                                                       std::min(num_slices_, kMaxKernelSlices), num_threads));
  }

  std::string_view name() const override { return "winograd"; }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    auto* const sums = reinterpret_cast<float*>(memory.scratch);
    auto* const zeros = reinterpret_cast<float*>(memory.scratch + zeros_offset_);
    std::fill_n(zeros, std::max(inputs_.size, outputs_.size), 0.0F);
    ScratchSlots slots(memory.scratch + slots_offset_, slot_bytes_);
    const auto* const source = reinterpret_cast<const float*>(memory.operands[0]);
    const auto* const gradient = reinterpret_cast<const float*>(memory.operands[1]);
    auto* const result = reinterpret_cast<float*>(memory.results[0]);
    // There may be more slices than slots, so a slot handles several.
    const std::int64_t turns = std::min(num_slices_, kMaxKernelSlices);
    for_each_slice(pool, turns, [&](std::int64_t turn) {
      const ScratchSlots::Lease lease(slots);
      auto* const slot = reinterpret_cast<float*>(lease.data());
      for (std::int64_t slice = num_slices_ * turn / turns; slice < num_slices_ * (turn + 1) / turns;
           ++slice) {
        float* const own = has_one_range() ? slot : sums + slice * slice_sums_;
        run_slice(slice, source, gradient, zeros, own, slot + points_offset_);
        if (!has_one_range()) continue;
        const std::int64_t part = slice / outputs_.count, first = inputs_.first(part);
        for (std::int64_t input = first; input < first + inputs_.extent(part); ++input)
          finish(input, slice % outputs_.count, own, result);
      }
    });
    if (has_one_range()) return;
    const Parts rows(inputs_.total, (inputs_.total + kWantedSlices - 1) / kWantedSlices, 1);
    for_each_slice(pool, rows.count, [&](std::int64_t slice) {
      for (std::int64_t row = rows.first(slice), end = row + rows.extent(slice); row < end; ++row)
        for (std::int64_t part = 0; part < outputs_.count; ++part)
          finish(row, part, sums + (row / inputs_.size * outputs_.count + part) * slice_sums_, result);
    });
  }

 private:
  bool has_one_range() const { return ranges_.count == 1; }

  /// The number of tiles in a range: enough ranges for the wanted slices, if each has many tiles and their
  /// sums take little memory.
  std::int64_t tiles_of_range() const {
    const std::int64_t parts = inputs_.count * outputs_.count;
    const std::int64_t bytes =
        parts * transforms_.points * inputs_.size * outputs_.size * std::int64_t{sizeof(float)};
    const std::int64_t ranges =
        std::min({divide_up(kWantedSlices, parts), tiles_.count / kTilesOfSum, kMostPartialBytes / bytes});
    return (tiles_.count + std::max<std::int64_t>(ranges, 1) - 1) / std::max<std::int64_t>(ranges, 1);
  }

  void run_slice(std::int64_t slice, const float* source, const float* gradient, const float* zeros,
                 float* sums, float* slot) const {
    const std::int64_t input_part = slice / outputs_.count % inputs_.count,
                       output_part = slice % outputs_.count;
    const std::int64_t range = slice / (inputs_.count * outputs_.count);
    const std::int64_t inputs = inputs_.extent(input_part), outputs = outputs_.extent(output_part);
    float* const gradient_points = slot + transforms_.points * source_point_;
    const Parts blocks(ranges_.extent(range), tiles_at_once_, 1);
    for (std::int64_t block = 0; block < blocks.count; ++block) {
      const std::int64_t tiles = blocks.extent(block), first = ranges_.first(range) + blocks.first(block);
      for (std::int64_t t = 0; t < tiles; ++t) {
        transform_source(tiles_.place(first + t), source + inputs_.first(input_part), inputs, zeros,
                         slot + t * inputs);
        transform_gradient(tiles_.place(first + t), gradient + outputs_.first(output_part), outputs, zeros, t,
                           tiles, gradient_points);
      }
      for (std::int64_t point = 0; point < transforms_.points; ++point)
        kernels::gemm_packed(level_,
                             {.transpose_a = true,
                              .add = block > 0,
                              .m = inputs,
                              .n = outputs,
                              .k = tiles,
                              .a = slot + point * source_point_,
                              .lda = inputs,
                              .c = sums + point * sum_point_,
                              .ldc = outputs},
                             gradient_points + point * gradient_point_);
    }
  }

  void transform_source(const Tiles::Place& place, const float* source, std::int64_t inputs,
                        const float* zeros, float* points) const {
    std::array<const float*, kMaxPoints> pixels;
    winograd::find_pixels(source_, tiles_.sources, source, zeros, place.batch, place.source(padding_),
                          pixels.data());
    transforms_.source(pixels.data(), inputs, points, source_point_);
  }

  /// Transforms into row `t` of `tiles` in the layout of packed products. Values after the last channel never
  /// contribute to a result.
  void transform_gradient(const Tiles::Place& place, const float* gradient, std::int64_t outputs,
                          const float* zeros, std::int64_t t, std::int64_t tiles, float* points) const {
    const std::int64_t panel = kernels::packed_b_panel(level_);
    std::array<const float*, kMaxPoints> pixels;
    winograd::find_pixels(gradient_, tiles_.results, gradient, zeros, place.batch, place.first,
                          pixels.data());
    const auto num_pixels = static_cast<std::size_t>(tiles_.results.size[0] * tiles_.results.size[1]);
    for (std::int64_t channel = 0; channel < outputs; channel += panel) {
      transforms_.gradient(pixels.data(), std::min(panel, outputs - channel),
                           points + kernels::packed_b_offset(level_, tiles, outputs, t, channel),
                           gradient_point_);
      for (std::size_t i = 0; i < num_pixels; ++i)
        if (pixels[i] != zeros) pixels[i] += panel;
    }
  }

  /// Computes one input channel of the result, for a part of the outputs, from the first range's sums.
  void finish(std::int64_t input, std::int64_t output_part, const float* sums, float* result) const {
    const std::int64_t outputs = outputs_.extent(output_part);
    const std::int64_t range_stride = inputs_.count * outputs_.count * slice_sums_;
    alignas(64) float sum[kMaxPoints][kChannelsAtOnce], gathered[kMaxTaps][kChannelsAtOnce];
    for (std::int64_t range = 0; range < ranges_.count; ++range) {
      const float* row = sums + range * range_stride + input % inputs_.size * outputs;
      for (std::int64_t point = 0; point < transforms_.points; ++point, row += sum_point_)
        for (std::int64_t i = 0; i < outputs; ++i)
          sum[point][i] = range == 0 ? row[i] : sum[point][i] + row[i];
    }
    std::array<float*, kMaxTaps> taps;
    float* const to = result + input * strides_[2] + outputs_.first(output_part) * strides_[1];
    const auto place = [&](std::int64_t tap) {
      return to + tap / taps_a_row_ * strides_[3] + tap % taps_a_row_ * strides_[4];
    };
    for (std::int64_t tap = 0; tap < transforms_.taps; ++tap)
      taps[static_cast<std::size_t>(tap)] = strides_[1] == 1 ? place(tap) : gathered[tap];
    transforms_.kernel_gradient(sum[0], kChannelsAtOnce, outputs, taps.data());
    if (strides_[1] == 1) return;
    for (std::int64_t tap = 0; tap < transforms_.taps; ++tap)
      for (std::int64_t i = 0; i < outputs; ++i) place(tap)[i * strides_[1]] = gathered[tap][i];
  }

  IsaLevel level_;
  Images source_, gradient_;
  const winograd::Transforms& transforms_;
  Tiles tiles_;
  Parts inputs_, outputs_, ranges_;  // of channels, and of tiles
  std::int64_t tiles_at_once_;
  ir::Dims strides_;  // of the result, as in ConvolutionProblem
  std::int64_t taps_a_row_;
  Pair padding_;
  std::size_t zeros_offset_ = 0, slots_offset_ = 0, slot_bytes_ = 0;
  std::int64_t sum_point_ = 0, source_point_ = 0, gradient_point_ = 0;  // in floats
  std::int64_t slice_sums_ = 0, points_offset_ = 0;                     // in floats; the second in a slot
};

}  // namespace

std::unique_ptr<GroupKernel> make_winograd_backward_weights(const ConvolutionProblem& problem, int outputs,
                                                            IsaLevel level, int num_threads) {
  return std::make_unique<WinogradBackwardWeights>(problem, outputs, level, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu
