#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cornu/base/checked_size.h"

namespace cornu::inline v0::ops {

/// Padding around the inputs of a transposed convolution along one axis, between which are strides - 1 zeros.
struct TransposedPadding {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// The padding that gives Keras's extents. `window`: the extent of the kernel with its gaps; `extra`: output_padding.
/// Errors: ResourceExhausted for a padding beyond 63 bits.
inline TransposedPadding transposed_padding(bool is_same, std::int64_t window, std::int64_t stride,
                                            std::optional<std::int64_t> extra) {
  const CheckedSize size = window;
  const CheckedSize around = is_same
                                 ? (extra ? size + window % 2 - 2 + *extra : size + stride - 2)
                                 : size * 2 - 2 + extra.value_or(std::max<std::int64_t>(0, stride - window));
  const std::int64_t total = around.value("[conv_transpose] the padding");
  const std::int64_t low = is_same ? std::min(total / 2 + total % 2, window - 1) : window - 1;
  return {.low = low, .high = total - low};
}

}  // namespace cornu::inline v0::ops
