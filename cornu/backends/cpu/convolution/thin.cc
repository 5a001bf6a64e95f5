#include "cornu/backends/cpu/convolution/thin.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "cornu/backends/cpu/convolution/thin_dots.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using thin::Segment;

using OuterPlace = std::array<std::int64_t, 2>;  // position in all axes except the innermost

constexpr std::int64_t kWorkPerSlice = 400000;  // multiply-adds

/// One axis of the result: the positions of the operand that it reads, by tap.
struct Axis {
  Axis(const ConvolutionAxis& a, bool is_forward)
      : result(is_forward ? a.output : a.input),
        operand(is_forward ? a.input : a.output),
        taps(a.kernel),
        period(is_forward ? 1 : a.stride),
        advance(is_forward ? a.stride : 1),
        tap_step(is_forward ? a.dilation : -a.dilation),
        offset(is_forward ? -a.padding_low : a.padding_low) {}

  /// The position of the operand that a tap reads for a result; -1: none.
  std::int64_t place(std::int64_t at, std::int64_t tap) const {
    const std::int64_t place = at * advance + tap * tap_step + offset;
    return place >= 0 && place % period == 0 && place / period < operand ? place / period : -1;
  }

  std::int64_t result, operand, taps;
  std::int64_t period, advance;  // results `period` apart read positions `advance` apart
  std::int64_t tap_step, offset;
};

/// Results along the innermost axis, `period` apart, with the same pattern of reads.
struct Run {
  std::int64_t first = 0, count = 0;
  std::vector<Segment> segments;  // for the first result
};

/// result[position, f] = sum over taps and channels of operand[place, c] weights[tap, c, f], a dot for each
/// segment of memory: along the channels, and along taps if their pixels are adjacent.
class ThinConvolution final : public GroupKernel {
 public:
  ThinConvolution(const ConvolutionProblem& p, IsaLevel level, int num_threads)
      : level_(level),
        forward_(p.direction == ConvolutionDirection::kForward),
        channels_(forward_ ? p.inputs : p.outputs),
        features_(forward_ ? p.outputs : p.inputs),
        weights_channel_(p.weights_strides[forward_ ? 2 : 1]),
        weights_feature_(p.weights_strides[forward_ ? 1 : 2]),
        operand_strides_(forward_ ? p.source_strides : p.destination_strides),
        result_strides_(forward_ ? p.destination_strides : p.source_strides) {
    lines_ = p.batch;
    for (std::size_t i = 0; i < p.axes.size(); ++i) {
      axes_.emplace_back(p.axes[i], forward_);
      num_taps_ *= p.axes[i].kernel;
      if (i + 1 < p.axes.size()) lines_ *= axes_.back().result;
      add_taps(p.axes[i], p.weights_strides[3 + i]);
    }
    runs_ = runs_along(axes_.back());
    const std::int64_t work =
        std::max<std::int64_t>(1, axes_.back().result * num_taps_ * channels_ * features_);
    num_slices_ =
        std::clamp<std::int64_t>(lines_ * work / kWorkPerSlice, 1, std::min(lines_, kMaxKernelSlices));
    packed_bytes_ = whole_lines(static_cast<std::size_t>(features_ * num_taps_ * channels_) * sizeof(float));
    slot_bytes_ = whole_lines(static_cast<std::size_t>(num_taps_) * sizeof(Segment));
    scratch_bytes_ =
        packed_bytes_ + slot_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  std::string_view name() const override { return "thin"; }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    auto* const packed = reinterpret_cast<float*>(memory.scratch);
    pack(reinterpret_cast<const float*>(memory.operands[1]), packed);
    ScratchSlots slots(memory.scratch + packed_bytes_, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      for (std::int64_t line = lines_ * slice / num_slices_, end = lines_ * (slice + 1) / num_slices_;
           line < end; ++line)
        run_line(line, reinterpret_cast<const float*>(memory.operands[0]), packed,
                 reinterpret_cast<float*>(memory.results[0]), reinterpret_cast<Segment*>(lease.data()));
    });
  }

 private:
  /// Packed taps are in the order in which they read the operand.
  std::int64_t packed_tap(const Axis& axis, std::int64_t tap) const {
    return forward_ ? tap : axis.taps - 1 - tap;
  }

  void add_taps(const ConvolutionAxis& axis, std::int64_t stride) {
    std::vector<std::int64_t> offsets;
    for (const std::int64_t outer : weights_taps_)
      for (std::int64_t slot = 0; slot < axis.kernel; ++slot)
        offsets.push_back(outer + (forward_ != axis.reversed ? slot : axis.kernel - 1 - slot) * stride);
    weights_taps_ = std::move(offsets);
  }

  /// [feature, tap, channel]
  void pack(const float* from, float* to) const {
    for (std::int64_t feature = 0; feature < features_; ++feature)
      for (const std::int64_t tap : weights_taps_)
        for (std::int64_t channel = 0; channel < channels_; ++channel)
          *to++ = from[tap + feature * weights_feature_ + channel * weights_channel_];
  }

  /// The segments that one result of an axis reads; adjacent ones are merged.
  std::vector<Segment> segments_of(const Axis& axis, std::int64_t at, std::int64_t stride) const {
    std::vector<Segment> segments;
    for (std::int64_t slot = 0; slot < axis.taps; ++slot) {
      const std::int64_t place = axis.place(at, packed_tap(axis, slot));
      if (place < 0) continue;
      const Segment next = {place * stride, slot * channels_, channels_};
      const bool joins = !segments.empty() &&
                         segments.back().operand + segments.back().length == next.operand &&
                         segments.back().weights + segments.back().length == next.weights;
      if (joins)
        segments.back().length += channels_;
      else
        segments.push_back(next);
    }
    return segments;
  }

  std::vector<Run> runs_along(const Axis& axis) const {
    std::vector<Run> runs;
    const std::int64_t stride = operand_strides_.back();
    for (std::int64_t phase = 0; phase < std::min(axis.period, axis.result); ++phase)
      for (std::int64_t at = phase; at < axis.result; at += axis.period) {
        std::vector<Segment> segments = segments_of(axis, at, stride);
        const bool follows = at != phase && continues(runs.back(), segments, axis.advance * stride);
        if (follows)
          ++runs.back().count;
        else
          runs.push_back({at, 1, std::move(segments)});
      }
    return runs;
  }

  static bool continues(const Run& run, const std::vector<Segment>& segments, std::int64_t advance) {
    return std::equal(segments.begin(), segments.end(), run.segments.begin(), run.segments.end(),
                      [&](const Segment& a, const Segment& b) {
                        return a.operand == b.operand + run.count * advance && a.weights == b.weights &&
                               a.length == b.length;
                      });
  }

  /// Computes a line of results along the innermost axis, for any batch element and outer positions.
  void run_line(std::int64_t line, const float* operand, const float* packed, float* result,
                Segment* segments) const {
    const std::size_t inner = axes_.size() - 1;
    OuterPlace at = {};
    for (std::size_t i = inner; i-- > 0; line /= axes_[i].result) at[i] = line % axes_[i].result;
    operand += line * operand_strides_[0];
    result += line * result_strides_[0];
    for (std::size_t i = 0; i < inner; ++i) result += at[i] * result_strides_[2 + i];
    for (const Run& run : runs_) {
      std::int64_t count = 0;
      const auto add = [&](std::int64_t outer_offset, std::int64_t outer_tap) {
        const std::int64_t weights = outer_tap * axes_[inner].taps * channels_;
        for (const Segment& s : run.segments)
          segments[count++] = {outer_offset + s.operand, weights + s.weights, s.length};
      };
      for_each_outer_tap(0, at, 0, 0, add);
      make_dots(run, {segments, static_cast<std::size_t>(count)}, operand, packed,
                result + run.first * result_strides_.back());
    }
  }

  /// Calls f(offset in the operand, packed tap) for all combinations of taps of the axes from `i` to the
  /// innermost that read the operand.
  template <typename F>
  void for_each_outer_tap(std::size_t i, const OuterPlace& at, std::int64_t offset, std::int64_t packed,
                          const F& f) const {
    if (i + 1 >= axes_.size() || i >= at.size()) return f(offset, packed);
    for (std::int64_t slot = 0; slot < axes_[i].taps; ++slot)
      if (const std::int64_t place = axes_[i].place(at[i], packed_tap(axes_[i], slot)); place >= 0)
        for_each_outer_tap(i + 1, at, offset + place * operand_strides_[2 + i], packed * axes_[i].taps + slot,
                           f);
  }

  void make_dots(const Run& run, std::span<const Segment> segments, const float* operand, const float* packed,
                 float* result) const {
    const Axis& axis = axes_.back();
    thin::dots(level_, features_,
               {.segments = segments.data(),
                .num_segments = static_cast<std::int64_t>(segments.size()),
                .operand = operand,
                .advance = axis.advance * operand_strides_.back(),
                .weights = packed,
                .weights_feature = num_taps_ * channels_,
                .result = result,
                .result_step = axis.period * result_strides_.back(),
                .result_feature = result_strides_[1],
                .count = run.count});
  }

  IsaLevel level_;
  bool forward_;
  std::int64_t channels_, features_, weights_channel_, weights_feature_;
  ir::Dims operand_strides_, result_strides_;
  std::int64_t lines_ = 1, num_taps_ = 1;
  std::vector<Axis> axes_;
  std::vector<std::int64_t> weights_taps_ = {0};  // offset of each packed tap
  std::vector<Run> runs_;
  std::size_t packed_bytes_ = 0, slot_bytes_ = 0;
};

}  // namespace

bool is_thin_convolution(const ConvolutionProblem& p) {
  // With fewer channels a dot is short, and oneDNN's kernels for images are faster.
  constexpr std::int64_t kManyChannels = 16;
  if (p.direction == ConvolutionDirection::kBackwardWeights || p.groups != 1) return false;
  const bool forward = p.direction == ConvolutionDirection::kForward;
  const std::int64_t features = forward ? p.outputs : p.inputs, channels = forward ? p.inputs : p.outputs;
  const std::int64_t channel_stride = (forward ? p.source_strides : p.destination_strides)[1];
  return features <= thin::kMostFeatures && channels >= kManyChannels && channel_stride == 1;
}

std::unique_ptr<GroupKernel> make_thin_convolution(const ConvolutionProblem& problem, IsaLevel level,
                                                   int num_threads) {
  return std::make_unique<ThinConvolution>(problem, level, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu
