#include "cornu/backends/cpu/convolution/winograd.h"

#include <algorithm>
#include <array>

#include "cornu/backends/cpu/convolution/winograd_tiles.h"
#include "cornu/backends/cpu/convolution/winograd_transforms.h"
#include "cornu/backends/cpu/kernels/gemm.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using winograd::Images;
using winograd::kMaxPoints;
using winograd::kMaxTaps;
using winograd::Pair;
using winograd::Parts;
using winograd::Tiles;

constexpr std::int64_t kColumnsAtOnce = 64;       // result channels whose points are kept at a time
constexpr std::int64_t kBlockBytes = 512 * 1024;  // points of a block of tiles: half the second cache
constexpr std::int64_t kFewestTiles = 14,
                       kMostTiles = 112;  // of a block: a panel of the kernel is read once for all of them
constexpr std::int64_t kWantedBlocks = 8;
// Chains of this many channels are summed one after another, and the chains' sums are added: that halves the
// rounding error for 256 channels.
constexpr std::int64_t kChain = 64;
constexpr std::int64_t kTilesOfSlice = 8;  // of the sources' transform, if slices are parts of the columns
constexpr std::int64_t kKernelElements = 4096;  // of a slice of the kernel's transform
// A kernel with at least so many bytes of points, for at most so many tiles: slices are parts of the columns.
constexpr std::int64_t kLargeKernelBytes = std::int64_t{16} << 20, kFewTiles = 256;

/// Forward and backward data: result[y, x, column] = sum of source[y - padding + r, x - padding + s, depth]
/// kernel[r, s, depth, column], r and s times the dilation. Backward data has the gradient as its source, and
/// the kernel reversed with exchanged channels.
///
/// A slice is a run of blocks of tiles, for all columns, and the kernel's points are shared. Where the kernel is large
/// and tiles are few (7 x 7 images of 512 channels), a slice is a part of the columns for all tiles: the sources' points
/// are shared, and the kernel's are used soon after they are made.
class WinogradConvolution final : public GroupKernel {
 public:
  WinogradConvolution(const ConvolutionProblem& p, int outputs, IsaLevel level, int num_threads)
      : level_(level),
        forward_(p.direction == ConvolutionDirection::kForward),
        source_(forward_ ? winograd::source_images(p) : winograd::destination_images(p)),
        result_(forward_ ? winograd::destination_images(p) : winograd::source_images(p)),
        transforms_(winograd::transforms(level, outputs, winograd_axes(p))),
        tiles_(p, result_, outputs),
        depth_(forward_ ? p.inputs : p.outputs),
        chains_(depth_, kChain, 16),
        columns_(forward_ ? p.outputs : p.inputs, kColumnsAtOnce, kernels::kGemmColumns),
        depth_stride_(p.weights_strides[forward_ ? 2 : 1]),
        column_stride_(p.weights_strides[forward_ ? 1 : 2]),
        by_columns_(tiles_.count <= kFewTiles && columns_.count > 1 &&
                    4 * transforms_.points * depth_ * columns_.total >= kLargeKernelBytes),
        blocks_(tiles_.count, by_columns_ ? tiles_.count : tiles_at_once(), 1) {
    for (std::size_t i = 0; i < 2; ++i) {
      const ConvolutionAxis& axis = p.axes[i];
      padding_[i] = forward_ ? axis.padding_low : (axis.kernel - 1) * axis.dilation - axis.padding_low;
    }
    const auto offset = [&](std::size_t i, std::int64_t at) {
      const ConvolutionAxis& axis = p.axes[i];
      return (forward_ != axis.reversed ? at : axis.kernel - 1 - at) * p.weights_strides[3 + i];
    };
    for (int tap = 0; tap < transforms_.taps; ++tap)
      tap_offsets_[static_cast<std::size_t>(tap)] =
          offset(0, tap / p.axes[1].kernel) + offset(1, tap % p.axes[1].kernel);
    num_slices_ = std::min(by_columns_ ? columns_.count : blocks_.count, kMaxKernelSlices);
    place_in_scratch(num_threads);
  }

  std::string_view name() const override { return "winograd"; }

  void run(const KernelMemory& memory, ThreadPool& pool) const override {
    const auto* const lhs = reinterpret_cast<const float*>(memory.operands[0]);
    const auto* const weights = reinterpret_cast<const float*>(memory.operands[1]);
    auto* const result = reinterpret_cast<float*>(memory.results[0]);
    auto* const shared = reinterpret_cast<float*>(memory.scratch);  // points
    auto* const zeros = reinterpret_cast<float*>(memory.scratch + zeros_offset_);
    std::fill_n(zeros, depth_, 0.0F);
    ScratchSlots slots(memory.scratch + slots_offset_, slot_bytes_);
    if (by_columns_) {
      const Parts tiles(tiles_.count, kTilesOfSlice, 1);
      for_each_slice(pool, tiles.count, [&](std::int64_t slice) {
        for (std::int64_t tile = tiles.first(slice), end = tile + tiles.extent(slice); tile < end; ++tile)
          transform_source(tile, lhs, zeros, shared + tile * depth_);
      });
      for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
        const ScratchSlots::Lease lease(slots);
        const std::int64_t end = columns_.count * (slice + 1) / num_slices_;
        for (std::int64_t part = columns_.count * slice / num_slices_; part < end; ++part)
          run_columns(part, shared, weights, result, reinterpret_cast<float*>(lease.data()));
      });
      return;
    }
    const Parts rows(depth_, std::max<std::int64_t>(1, kKernelElements / columns_.total), 1);
    for_each_slice(pool, rows.count, [&](std::int64_t slice) {
      for (std::int64_t part = 0; part < columns_.count; ++part)
        for (std::int64_t row = rows.first(slice), end = row + rows.extent(slice); row < end; ++row)
          transform_kernel(weights, row, part, shared + part * transforms_.points * kernel_point(0));
    });
    for_each_slice(pool, num_slices_, [&](std::int64_t slice) {
      const ScratchSlots::Lease lease(slots);
      const std::int64_t end = blocks_.count * (slice + 1) / num_slices_;
      for (std::int64_t block = blocks_.count * slice / num_slices_; block < end; ++block)
        run_block(block, lhs, zeros, shared, result, reinterpret_cast<float*>(lease.data()));
    });
  }

 private:
  std::int64_t tiles_at_once() const {
    const std::int64_t fit = kBlockBytes / (4 * transforms_.points * (depth_ + columns_.size));
    const std::int64_t shared = (tiles_.count + kWantedBlocks - 1) / kWantedBlocks;
    const std::int64_t most = std::clamp(std::min(fit, shared), kFewestTiles, kMostTiles);
    // A multiple of four blocks, so that two and four threads get equal shares, unless blocks become too
    // small.
    const std::int64_t blocks = ((tiles_.count + most - 1) / most + 3) / 4 * 4;
    const std::int64_t equal = (tiles_.count + blocks - 1) / blocks;
    return equal >= kFewestTiles ? equal : most;
  }

  /// The shared points, a row of zeros, and the slots.
  void place_in_scratch(int num_threads) {
    source_point_ = winograd::point_stride(blocks_.size * depth_);
    result_point_ = winograd::point_stride(blocks_.size * columns_.size);
    std::int64_t of_kernel = 0;
    for (std::int64_t part = 0; part < columns_.count; ++part)
      of_kernel += transforms_.points * kernel_point(part);
    const std::int64_t of_source = transforms_.points * source_point_;
    const std::int64_t shared = by_columns_ ? of_source : of_kernel;
    products_offset_ = by_columns_ ? transforms_.points * kernel_point(0) : of_source;
    zeros_offset_ = whole_lines(static_cast<std::size_t>(shared) * sizeof(float));
    slots_offset_ = zeros_offset_ + whole_lines(static_cast<std::size_t>(depth_) * sizeof(float));
    outside_offset_ = products_offset_ + transforms_.points * result_point_;
    slot_bytes_ = whole_lines(static_cast<std::size_t>(outside_offset_ + columns_.size) * sizeof(float));
    scratch_bytes_ =
        slots_offset_ + slot_bytes_ * static_cast<std::size_t>(num_slots(num_slices_, num_threads));
  }

  /// The distance in floats between chains and between points of the packed kernel, in a part of the columns.
  /// All parts except the last have the first one's size.
  std::int64_t kernel_chain(std::int64_t part) const {
    return kernels::packed_b_floats(level_, std::min(chains_.size, depth_), columns_.extent(part));
  }
  std::int64_t kernel_point(std::int64_t part) const {
    return winograd::point_stride(chains_.count * kernel_chain(part));
  }

  /// Transforms one row of the depth, in a part of the columns, into the layout of packed products.
  void transform_kernel(const float* weights, std::int64_t row, std::int64_t part, float* kernel) const {
    const std::int64_t panel = kernels::packed_b_panel(level_), chain = row / chains_.size;
    const std::int64_t columns = columns_.extent(part);
    const float* const from = weights + row * depth_stride_ + columns_.first(part) * column_stride_;
    for (std::int64_t column = 0; column < columns; column += panel) {
      const std::int64_t count = std::min(panel, columns - column);
      std::array<const float*, kMaxTaps> taps;
      alignas(64) float gathered[kMaxTaps][kernels::kGemmColumns] = {};
      for (std::size_t tap = 0; tap < static_cast<std::size_t>(transforms_.taps); ++tap) {
        taps[tap] = from + tap_offsets_[tap] + column * column_stride_;
        if (column_stride_ == 1 && count == panel) continue;
        for (std::int64_t i = 0; i < count; ++i) gathered[tap][i] = taps[tap][i * column_stride_];
        taps[tap] = gathered[tap];
      }
      const std::int64_t place =
          kernels::packed_b_offset(level_, chains_.extent(chain), columns, row % chains_.size, column);
      transforms_.kernel(taps.data(), kernels::packed_b_width(level_, count),
                         kernel + chain * kernel_chain(part) + place, kernel_point(part));
    }
  }

  void transform_source(std::int64_t tile, const float* lhs, const float* zeros, float* points) const {
    const Tiles::Place place = tiles_.place(tile);
    std::array<const float*, kMaxPoints> pixels;
    winograd::find_pixels(source_, tiles_.sources, lhs, zeros, place.batch, place.source(padding_),
                          pixels.data());
    transforms_.source(pixels.data(), depth_, points, source_point_);
  }

  void run_block(std::int64_t block, const float* lhs, const float* zeros, const float* kernel, float* result,
                 float* slot) const {
    const std::int64_t first = blocks_.first(block), tiles = blocks_.extent(block);
    for (std::int64_t t = 0; t < tiles; ++t) transform_source(first + t, lhs, zeros, slot + t * depth_);
    for (std::int64_t part = 0; part < columns_.count; ++part)
      multiply({first, tiles, part}, slot, kernel + part * transforms_.points * kernel_point(0), result,
               slot + products_offset_, slot + outside_offset_);
  }

  /// All tiles for a part of the columns, from the sources' points.
  void run_columns(std::int64_t part, const float* sources, const float* weights, float* result,
                   float* slot) const {
    for (std::int64_t row = 0; row < depth_; ++row) transform_kernel(weights, row, part, slot);
    multiply({0, tiles_.count, part}, sources, slot, result, slot + products_offset_, slot + outside_offset_);
  }

  struct Piece {
    std::int64_t first_tile, tiles, part;
  };

  /// The results of some tiles in a part of the columns. `outside`: for results beyond the image.
  void multiply(const Piece& piece, const float* sources, const float* kernel, float* result, float* products,
                float* outside) const {
    const std::int64_t columns = columns_.extent(piece.part);
    for (std::int64_t point = 0; point < transforms_.points; ++point)
      for (std::int64_t chain = 0; chain < chains_.count; ++chain)
        kernels::gemm_packed(level_,
                             {.add = chain > 0,
                              .m = piece.tiles,
                              .n = columns,
                              .k = chains_.extent(chain),
                              .a = sources + point * source_point_ + chains_.first(chain),
                              .lda = depth_,
                              .c = products + point * result_point_,
                              .ldc = columns},
                             kernel + point * kernel_point(piece.part) + chain * kernel_chain(piece.part));
    for (std::int64_t t = 0; t < piece.tiles; ++t) {
      const Tiles::Place place = tiles_.place(piece.first_tile + t);
      std::array<float*, kMaxPoints> pixels;
      winograd::find_pixels(result_, tiles_.results, result + columns_.first(piece.part), outside,
                            place.batch, place.first, pixels.data());
      transforms_.result(products + t * columns, result_point_, columns, pixels.data());
    }
  }

  IsaLevel level_;
  bool forward_;
  Images source_, result_;
  const winograd::Transforms& transforms_;
  Tiles tiles_;
  std::int64_t depth_;
  Parts chains_, columns_;  // of the depth, and of the result's channels
  std::int64_t depth_stride_, column_stride_;
  bool by_columns_;
  Parts blocks_;  // of tiles
  Pair padding_{};
  std::array<std::int64_t, kMaxTaps> tap_offsets_{};
  std::size_t zeros_offset_ = 0, slots_offset_ = 0, slot_bytes_ = 0;
  std::int64_t source_point_ = 0, result_point_ = 0, products_offset_ = 0, outside_offset_ = 0;  // in floats
};

}  // namespace

int winograd_axes(const ConvolutionProblem& p) {
  const auto has_taps = [](const ConvolutionAxis& axis) { return axis.kernel > 1; };
  return static_cast<int>(std::count_if(p.axes.begin(), p.axes.end(), has_taps));
}

bool winograd_applies(const ConvolutionProblem& p) {
  const auto fits = [](const ConvolutionAxis& axis) {
    return (axis.kernel == 3 || axis.kernel == 1) && axis.stride == 1;
  };
  return p.axes.size() <= 2 && winograd_axes(p) > 0 && std::all_of(p.axes.begin(), p.axes.end(), fits) &&
         p.groups == 1 && !p.is_mirrored && p.source_strides[1] == 1 && p.destination_strides[1] == 1;
}

int winograd_outputs(const ConvolutionProblem& problem) {
  constexpr std::int64_t kFewestChannels = 16;  // with fewer, transforms are most of the work
  constexpr double kLeastFlops = 2e6;
  if (!winograd_applies(problem) || problem.flops() < kLeastFlops) return 0;
  // A line's transforms cost as much for each product of channels, and save fewer of them.
  const std::int64_t fewest = winograd_axes(problem) == 1 ? 2 * kFewestChannels : kFewestChannels;
  if (problem.inputs < fewest || problem.outputs < fewest) return 0;
  const ConvolutionProblem p = winograd::with_two_axes(problem);
  const bool data = p.direction == ConvolutionDirection::kBackwardData;
  const Images tiled = data ? winograd::source_images(p) : winograd::destination_images(p);
  const auto products = [&](int outputs) {
    const Tiles tiles(p, tiled, outputs);
    return tiles.sources.size[0] * tiles.sources.size[1] * tiles.count;
  };
  const int outputs = products(2) < products(4) ? 2 : 4;
  const std::int64_t taps = p.axes[0].kernel * p.axes[1].kernel;
  return 2 * taps * p.batch * tiled.extents[0] * tiled.extents[1] >= 3 * products(outputs) ? outputs : 0;
}

std::unique_ptr<GroupKernel> make_winograd_convolution(const ConvolutionProblem& problem, int outputs,
                                                       IsaLevel level, int num_threads) {
  const ConvolutionProblem p = winograd::with_two_axes(problem);
  if (p.direction == ConvolutionDirection::kBackwardWeights)
    return make_winograd_backward_weights(p, outputs, level, num_threads);
  return std::make_unique<WinogradConvolution>(p, outputs, level, num_threads);
}

}  // namespace cornu::inline v0::backends::cpu
