#include "cornu/backends/cpu/convolution/depthwise.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "cornu/backends/cpu/convolution/depthwise_sums.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace depthwise {
namespace {

constexpr std::int64_t kChannels = 64;           // of a slice
constexpr std::int64_t kTileFloats = 48 * 1024;  // of a copied part of an image, in the second cache
constexpr std::int64_t kMostPartialSums = 16;    // of weights, over parts of the batch
constexpr std::int64_t kFewestRows = 12;         // of a tile; fewer channels are better then
constexpr std::int64_t kMostTaps = 400;
constexpr std::int64_t kSumChunk = 16384;  // elements
constexpr double kWorkPerSlice = 400000;   // multiply-adds

std::int64_t floor_divide(std::int64_t x, std::int64_t y) { return x >= 0 ? x / y : -((y - 1 - x) / y); }

/// One axis: result j * period + phase reads the operand at j * advance + offset(phase, tap).
struct Axis {
  Axis(const ConvolutionAxis& a, bool gathers_source)
      : result(gathers_source ? a.output : a.input),
        operand(gathers_source ? a.input : a.output),
        taps(a.kernel),
        period(gathers_source ? 1 : a.stride),
        advance(gathers_source ? a.stride : 1),
        reversed(a.reversed) {
    for (std::int64_t phase = 0; phase < period; ++phase) {
      for (std::int64_t tap = 0; tap < taps; ++tap) {
        const std::int64_t at =
            gathers_source ? tap * a.dilation - a.padding_low : phase + a.padding_low - tap * a.dilation;
        const std::int64_t divisor = gathers_source ? 1 : a.stride;
        const bool is_read = floor_divide(at, divisor) * divisor == at;
        const std::int64_t offset = floor_divide(at, divisor);
        if (is_read) {
          least = has_taps ? std::min(least, offset) : offset;
          most = has_taps ? std::max(most, offset) : offset;
          has_taps = true;
        }
        offsets.push_back(is_read ? offset : kNone);
      }
    }
  }

  static constexpr std::int64_t kNone = INT64_MIN;
  std::int64_t offset(std::int64_t phase, std::int64_t tap) const {
    return offsets[static_cast<std::size_t>(phase * taps + tap)];
  }
  /// Position of a tap in memory.
  std::int64_t slot(std::int64_t tap) const { return reversed ? taps - 1 - tap : tap; }
  /// Number of operand positions that `count` results in phase read, with those outside.
  std::int64_t reach(std::int64_t count) const { return (count - 1) * advance + most - least + 1; }

  std::int64_t result, operand, taps, period, advance;
  bool reversed, has_taps = false;
  std::int64_t least = 0, most = 0;  // of the offsets
  std::vector<std::int64_t> offsets;
};

class DepthwiseConvolution final : public GroupKernel {
 public:
  DepthwiseConvolution(const ConvolutionProblem& p, IsaLevel level, int num_threads)
      : level_(level),
        direction_(p.direction),
        is_mirrored_(p.is_mirrored),
        lanes_(depthwise::num_lanes(level)),
        batch_(p.batch),
        channels_(p.groups),
        rows_(p.axes.size() == 2 ? p.axes[0] : ConvolutionAxis{}, gathers_source()),
        columns_(p.axes.back(), gathers_source()),
        source_(strides_of(p.source_strides)),
        destination_(strides_of(p.destination_strides)),
        num_taps_(rows_.taps * columns_.taps) {
    weights_row_ = p.axes.size() == 2 ? p.weights_strides[3] : 0;
    weights_column_ = p.weights_strides.back();
    choose_tiles();
    make_taps();
    std::size_t slot_floats = static_cast<std::size_t>((tile_floats_ + num_taps_ * lanes_) * num_planes_);
    const double work = p.flops() / 2;
    if (sums_weights()) {
      const double parts = work / static_cast<double>(num_chunks_) / kWorkPerSlice;
      num_parts_ = std::min(batch_, std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(parts, 1e6)),
                                                             1, kMostPartialSums));
      num_units_ = num_parts_ * num_chunks_;
      partial_floats_ = num_chunks_ * num_planes_ * num_taps_ * lanes_;
      slot_floats = static_cast<std::size_t>(tile_floats_ * num_planes_);
    } else {
      num_units_ = batch_ * num_chunks_ * num_tiles_;
    }
    num_slices_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(work / kWorkPerSlice, 1e6)), 1,
                                           std::min(num_units_, kMaxKernelSlices));
    slot_bytes_ = whole_lines(slot_floats * sizeof(float));
    slots_offset_ = sums_weights()
                        ? whole_lines(static_cast<std::size_t>(num_parts_ * partial_floats_) * sizeof(float))
                        : 0;
    scratch_bytes_ =
        slots_offset_ + slot_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  std::string_view name() const override { return "depthwise"; }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    const auto* const lhs = reinterpret_cast<const float*>(memory.operands[0]);
    const auto* const rhs = reinterpret_cast<const float*>(memory.operands[1]);
    auto* const result = reinterpret_cast<float*>(memory.results[0]);
    if (!sums_weights()) {
      for_each_unit(memory, pool,
                    [&](std::int64_t unit, float* slot) { run_tile(unit, lhs, rhs, result, slot); });
      return;
    }
    const float *const source = is_mirrored_ ? rhs : lhs, *const gradients = is_mirrored_ ? lhs : rhs;
    auto* const partial = reinterpret_cast<float*>(memory.scratch);
    for_each_unit(memory, pool,
                  [&](std::int64_t unit, float* slot) { sum_part(unit, source, gradients, partial, slot); });
    const std::int64_t num_rows = num_chunks_ * num_planes_ * num_taps_;
    const std::int64_t rows = std::max<std::int64_t>(1, kSumChunk / lanes_);
    for_each_slice(pool, divide_up(num_rows, rows), [&](std::int64_t chunk) {
      for (std::int64_t row = chunk * rows; row < std::min(num_rows, (chunk + 1) * rows); ++row)
        finish_row(row, partial, result);
    });
  }

 private:
  /// Floats between images, rows and columns.
  struct Strides {
    std::int64_t image = 0, row = 0, column = 0;
  };

  static Strides strides_of(const ir::Dims& strides) {
    return {strides[0], strides.size() == 4 ? strides[2] : 0, strides.back()};
  }

  /// Calls f(unit, memory of a slot) for all units of a run.
  template <typename F>
  void for_each_unit(const KernelMemory& memory, ThreadPool& pool, const F& f) const {
    ScratchSlots slots(memory.scratch + slots_offset_, slot_bytes_);
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t end = (slice + 1) * num_units_ / num_slices_;
      for (std::int64_t unit = slice * num_units_ / num_slices_; unit < end; ++unit)
        f(unit, reinterpret_cast<float*>(lease.data()));
    });
  }

  bool gathers_source() const { return direction_ != ConvolutionDirection::kBackwardData; }
  bool sums_weights() const { return direction_ == ConvolutionDirection::kBackwardWeights; }

  /// Rows of results of a tile, and channels of a slice; by shapes and lanes alone.
  void choose_tiles() {
    const std::int64_t columns_read =
        columns_.reach((columns_.result + columns_.period - 1) / columns_.period);
    const std::int64_t per_period = columns_read * rows_.advance;
    const std::int64_t halo = columns_read * (rows_.most - rows_.least + 1);
    std::int64_t chunk = std::min(kChannels, channels_);
    const std::int64_t all_rows = (rows_.result + rows_.period - 1) / rows_.period;
    const auto rows_for = [&](std::int64_t channels) {
      const std::int64_t planes = divide_up(channels, lanes_);
      return std::clamp<std::int64_t>((kTileFloats / (planes * lanes_) - halo) / per_period + 1, 1, all_rows);
    };
    while (chunk > lanes_ && rows_for(chunk) < std::min(kFewestRows, all_rows))
      chunk = std::max(lanes_, (chunk / 2 + lanes_ - 1) / lanes_ * lanes_);
    chunk_ = chunk;
    num_chunks_ = divide_up(channels_, chunk);
    num_planes_ = divide_up(chunk, lanes_);
    // Equal tiles.
    const std::int64_t tiles = (all_rows + rows_for(chunk) - 1) / rows_for(chunk);
    tile_rows_ = divide_up(all_rows, tiles) * rows_.period;
    num_tiles_ = (rows_.result + tile_rows_ - 1) / tile_rows_;
    tile_columns_ = columns_read;
    tile_floats_ = rows_.reach(tile_rows_ / rows_.period) * columns_read * lanes_;
  }

  /// The taps of each row phase, row tap and column phase.
  void make_taps() {
    for (std::int64_t row_phase = 0; row_phase < rows_.period; ++row_phase)
      for (std::int64_t row_tap = 0; row_tap < rows_.taps; ++row_tap)
        for (std::int64_t phase = 0; phase < columns_.period; ++phase) {
          std::vector<Tap> taps;
          for (std::int64_t tap = 0; tap < columns_.taps; ++tap) {
            const std::int64_t row = rows_.offset(row_phase, row_tap), column = columns_.offset(phase, tap);
            if (row == Axis::kNone || column == Axis::kNone) continue;
            taps.push_back({(row - rows_.least) * tile_columns_ + column - columns_.least,
                            row_tap * columns_.taps + tap});
          }
          taps_.push_back(std::move(taps));
        }
  }

  const std::vector<Tap>& taps_of(std::int64_t row_phase, std::int64_t row_tap, std::int64_t phase) const {
    return taps_[static_cast<std::size_t>((row_phase * rows_.taps + row_tap) * columns_.period + phase)];
  }

  std::int64_t channels_in(std::int64_t chunk) const { return std::min(chunk_, channels_ - chunk * chunk_); }

  /// Copies the part of an image that the tile's results read. `operand` is that of the image and chunk.
  void fill_tile(std::int64_t tile, std::int64_t channels, const float* operand, const Strides& strides,
                 float* to) const {
    const std::int64_t first_period = tile * tile_rows_ / rows_.period;
    const std::int64_t results = std::min(tile_rows_, rows_.result - tile * tile_rows_);
    const std::int64_t first_row = first_period * rows_.advance + rows_.least;
    const std::int64_t num_rows = rows_.reach((results + rows_.period - 1) / rows_.period);
    const std::int64_t begin = std::clamp<std::int64_t>(-columns_.least, 0, tile_columns_);
    const std::int64_t end = std::clamp(columns_.operand - columns_.least, begin, tile_columns_);
    const auto clear = [&](std::int64_t row, std::int64_t from, std::int64_t until) {
      for (std::int64_t plane = 0; plane < num_planes_; ++plane)
        std::fill_n(to + plane * tile_floats_ + (row * tile_columns_ + from) * lanes_,
                    (until - from) * lanes_, 0.0F);
    };
    for (std::int64_t row = 0; row < num_rows; ++row) {
      const std::int64_t at = first_row + row;
      if (at < 0 || at >= rows_.operand) {
        clear(row, 0, tile_columns_);
        continue;
      }
      clear(row, 0, begin);
      clear(row, end, tile_columns_);
      depthwise::spread(level_,
                        {.from = operand + at * strides.row + (columns_.least + begin) * strides.column,
                         .from_step = strides.column,
                         .channels = channels,
                         .count = end - begin,
                         .to = to + (row * tile_columns_ + begin) * lanes_,
                         .plane = tile_floats_});
    }
  }

  /// [plane, tap, lane], zeros after the last channel.
  void pack_weights(const float* weights, std::int64_t channels, float* to) const {
    for (std::int64_t plane = 0; plane < num_planes_; ++plane) {
      const std::int64_t lanes = std::clamp<std::int64_t>(channels - plane * lanes_, 0, lanes_);
      for (std::int64_t row = 0; row < rows_.taps; ++row)
        for (std::int64_t column = 0; column < columns_.taps; ++column, to += lanes_) {
          const float* const from =
              weights + rows_.slot(row) * weights_row_ + columns_.slot(column) * weights_column_;
          std::copy_n(from + plane * lanes_, lanes, to);
          std::fill_n(to + lanes, lanes_ - lanes, 0.0F);
        }
    }
  }

  /// Forward and backward data.
  void run_tile(std::int64_t unit, const float* operand, const float* weights, float* result,
                float* memory) const {
    const std::int64_t tile = unit % num_tiles_, chunk = unit / num_tiles_ % num_chunks_,
                       image = unit / num_tiles_ / num_chunks_;
    const bool forward = direction_ == ConvolutionDirection::kForward;
    const Strides &from = forward ? source_ : destination_, &to = forward ? destination_ : source_;
    const std::int64_t channels = channels_in(chunk), first_channel = chunk * chunk_;
    float* const packed = memory + tile_floats_ * num_planes_;
    fill_tile(tile, channels, operand + image * from.image + first_channel, from, memory);
    pack_weights(weights + first_channel, channels, packed);
    result += image * to.image + first_channel;
    const std::int64_t first_row = tile * tile_rows_,
                       end_row = std::min(rows_.result, first_row + tile_rows_);
    for (std::int64_t plane = 0; plane * lanes_ < channels; ++plane)
      for (std::int64_t row = first_row; row < end_row; ++row)
        run_row(row, (row - first_row) / rows_.period, std::min(lanes_, channels - plane * lanes_),
                memory + plane * tile_floats_, packed + plane * num_taps_ * lanes_,
                result + row * to.row + plane * lanes_, to.column);
  }

  void run_row(std::int64_t row, std::int64_t tile_row, std::int64_t channels, const float* elements,
               const float* packed, float* result, std::int64_t step) const {
    const std::int64_t row_phase = row % rows_.period, first = row / rows_.period * rows_.advance;
    std::array<Tap, kMostTaps> taps;
    for (std::int64_t phase = 0; phase < std::min(columns_.period, columns_.result); ++phase) {
      std::int64_t count = 0;
      for (std::int64_t row_tap = 0; row_tap < rows_.taps; ++row_tap) {
        const std::int64_t offset = rows_.offset(row_phase, row_tap);
        if (offset == Axis::kNone || first + offset < 0 || first + offset >= rows_.operand) continue;
        for (const Tap& tap : taps_of(row_phase, row_tap, phase))
          taps[static_cast<std::size_t>(count++)] = tap;
      }
      depthwise::add_line(level_,
                          {.taps = taps.data(),
                           .num_taps = count,
                           .elements = elements + tile_row * rows_.advance * tile_columns_ * lanes_,
                           .advance = columns_.advance,
                           .weights = packed,
                           .result = result + phase * step,
                           .result_step = columns_.period * step,
                           .channels = channels,
                           .count = (columns_.result - phase + columns_.period - 1) / columns_.period});
    }
  }

  /// Backward weights of some images and channels: sums [plane, tap, lane].
  void sum_part(std::int64_t unit, const float* source, const float* gradients, float* partial,
                float* memory) const {
    const std::int64_t chunk = unit % num_chunks_, part = unit / num_chunks_;
    const std::int64_t channels = channels_in(chunk), first_channel = chunk * chunk_;
    float* const sums = partial + part * partial_floats_ + chunk * num_planes_ * num_taps_ * lanes_;
    std::fill_n(sums, num_planes_ * num_taps_ * lanes_, 0.0F);
    for (std::int64_t image = part * batch_ / num_parts_; image < (part + 1) * batch_ / num_parts_; ++image)
      for (std::int64_t tile = 0; tile < num_tiles_; ++tile) {
        fill_tile(tile, channels, source + image * source_.image + first_channel, source_, memory);
        const float* const from =
            gradients + image * destination_.image + tile * tile_rows_ * destination_.row + first_channel;
        for (std::int64_t plane = 0; plane * lanes_ < channels; ++plane)
          depthwise::add_weights(level_, {.elements = memory + plane * tile_floats_,
                                          .kernel_rows = rows_.taps,
                                          .kernel_columns = columns_.taps,
                                          .tap_row = tap_step(rows_) * tile_columns_,
                                          .tap_column = tap_step(columns_),
                                          .row_advance = rows_.advance * tile_columns_,
                                          .advance = columns_.advance,
                                          .gradients = from + plane * lanes_,
                                          .gradients_row = destination_.row,
                                          .gradients_step = destination_.column,
                                          .channels = std::min(lanes_, channels - plane * lanes_),
                                          .rows = std::min(tile_rows_, rows_.result - tile * tile_rows_),
                                          .columns = columns_.result,
                                          .sums = sums + plane * num_taps_ * lanes_});
      }
  }

  static std::int64_t tap_step(const Axis& axis) {
    return axis.taps > 1 ? axis.offset(0, 1) - axis.offset(0, 0) : 0;
  }

  /// Adds the parts of one [chunk, plane, tap] in order, to the weights.
  void finish_row(std::int64_t row, const float* partial, float* weights) const {
    const std::int64_t tap = row % num_taps_, plane = row / num_taps_ % num_planes_,
                       chunk = row / num_taps_ / num_planes_;
    const std::int64_t channels = std::min(lanes_, channels_in(chunk) - plane * lanes_);
    if (channels <= 0) return;
    float* const to = weights + rows_.slot(tap / columns_.taps) * weights_row_ +
                      columns_.slot(tap % columns_.taps) * weights_column_ + chunk * chunk_ + plane * lanes_;
    const float* from = partial + row * lanes_;
    std::copy_n(from, channels, to);
    for (std::int64_t part = 1; part < num_parts_; ++part) {
      from += partial_floats_;
      for (std::int64_t i = 0; i < channels; ++i) to[i] += from[i];
    }
  }

  IsaLevel level_;
  ConvolutionDirection direction_;
  bool is_mirrored_;
  std::int64_t lanes_, batch_, channels_;
  Axis rows_, columns_;
  Strides source_, destination_;
  std::int64_t num_taps_, weights_row_ = 0, weights_column_ = 0;
  std::int64_t chunk_ = 0, num_chunks_ = 0, num_planes_ = 0;
  std::int64_t tile_rows_ = 0, num_tiles_ = 0, tile_columns_ = 0, tile_floats_ = 0;
  std::vector<std::vector<Tap>> taps_;
  std::int64_t num_parts_ = 0, partial_floats_ = 0, num_units_ = 0;
  std::size_t slot_bytes_ = 0, slots_offset_ = 0;
};

}  // namespace
}  // namespace depthwise

bool is_depthwise_convolution(const ConvolutionProblem& p) {
  constexpr std::int64_t kFewestChannels = 4;
  if (p.groups < kFewestChannels || p.inputs != p.groups || p.outputs != p.groups || p.axes.size() > 2)
    return false;
  if (p.source_strides[1] != 1 || p.destination_strides[1] != 1 || p.weights_strides[0] != 1) return false;
  std::int64_t taps = 1;
  for (const ConvolutionAxis& axis : p.axes) taps *= axis.kernel;
  return taps <= depthwise::kMostTaps;
}

bool is_slow_in_libraries(const ConvolutionProblem& depthwise) {
  const std::int64_t most = depthwise.direction == ConvolutionDirection::kBackwardWeights ? 3 : 7;
  return depthwise.axes.size() == 1 ||
         std::any_of(depthwise.axes.begin(), depthwise.axes.end(),
                     [&](const ConvolutionAxis& axis) { return axis.kernel > most; });
}

std::unique_ptr<GroupKernel> make_depthwise_convolution(const ConvolutionProblem& problem, IsaLevel level,
                                                        int num_threads) {
  return std::make_unique<depthwise::DepthwiseConvolution>(problem, level, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu
