#pragma once

#include <vector>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// A stablehlo.convolution of any form as loops: result[group, batch, position, feature] = sum over taps and
/// channels.
struct ConvolutionLoops {
  explicit ConvolutionLoops(const ir::Op& convolution);

  std::int64_t groups = 1;                  // of features or of the batch
  std::int64_t batch = 1;                   // in a group
  std::int64_t channels = 1, features = 1;  // in a group
  ir::Dims positions, taps;                 // spatial extents of the result and the kernel
  std::int64_t num_positions = 1, num_taps = 1;

  // Strides in elements; the tensors are row-major.
  std::int64_t lhs_group = 0, lhs_batch = 0, lhs_channel = 0;
  std::int64_t rhs_group = 0, rhs_channel = 0, rhs_feature = 0;
  std::int64_t result_group = 0, result_batch = 0, result_feature = 0;
  ir::Dims result_axes;
  std::vector<std::int64_t> rhs_taps;  // offset of each tap, row-major in `taps`

  /// The offset in lhs of the element that `tap` reads for `position` (indices of one axis); -1 for none. The
  /// offset of all axes is the sum.
  std::int64_t lhs_offset(std::size_t axis, std::int64_t position, std::int64_t tap) const {
    const Axis& a = axes[axis];
    std::int64_t place = position * a.window_stride + tap * a.rhs_dilation - a.padding_low;
    if (place < 0) return -1;
    if (a.lhs_dilation != 1) {
      if (place % a.lhs_dilation != 0) return -1;
      place /= a.lhs_dilation;
    }
    return place < a.input ? place * a.lhs_stride : -1;
  }
  struct Axis {
    std::int64_t window_stride = 1, rhs_dilation = 1, padding_low = 0, lhs_dilation = 1;
    std::int64_t input = 1, lhs_stride = 1;
  };
  std::vector<Axis> axes;

  /// Writes the offset in lhs of each of num_taps taps, or -1, for a position (row-major number); returns the
  /// offset in the result.
  std::int64_t fill_offsets(std::int64_t position, std::int64_t* tap_offsets) const;
};

}  // namespace cornu::inline v0::backends::cpu
