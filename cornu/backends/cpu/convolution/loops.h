#pragma once

#include <vector>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// A stablehlo.convolution of any form as loops: result[group, batch, position, feature] = sum over taps and channels.
struct ConvolutionLoops {
  explicit ConvolutionLoops(const ir::Op& convolution);

  std::int64_t groups = 1;                  // of features or of the batch
  std::int64_t batch = 1;                   // of a group
  std::int64_t channels = 1, features = 1;  // of a group
  ir::Dims positions, taps;                 // spatial extents of the result and the kernel
  std::int64_t num_positions = 1, num_taps = 1;

  // Strides in elements; the tensors are row-major.
  std::int64_t lhs_group = 0, lhs_batch = 0, lhs_channel = 0;
  std::int64_t rhs_group = 0, rhs_channel = 0, rhs_feature = 0;
  std::int64_t result_group = 0, result_batch = 0, result_feature = 0;
  ir::Dims result_axes;
  std::vector<std::int64_t> rhs_taps;  // offset of each tap, row-major in `taps`

  /// Offset in lhs of the element that `tap` reads for `position` (indices of one axis each); -1 for none. Sums over axes count.
  std::int64_t lhs_offset(std::size_t axis, std::int64_t position, std::int64_t tap) const {
    return lhs_table[axis][static_cast<std::size_t>(position * taps[axis] + tap)];
  }
  std::vector<std::vector<std::int64_t>> lhs_table;

  /// Fills, for a position (row-major number), the offset in lhs of each of num_taps taps, or -1; returns the offset in the result.
  std::int64_t fill_offsets(std::int64_t position, std::int64_t* tap_offsets) const;
};

}  // namespace cornu::inline v0::backends::cpu
