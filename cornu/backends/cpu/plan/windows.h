#pragma once

#include <optional>
#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

/// Windows that loops compute: disjoint (their strides are their sizes), without padding or dilation, of few
/// elements, and none along the last dimension. An element belongs to at most one window, so the input of a
/// window is read once, and its results can be written in the same pass.
namespace cornu::inline v0::backends::cpu {

/// True if loops compute this reduce_window or select_and_scatter.
bool has_plain_windows(const ir::Op& op);

/// True if the engine's kernel computes a reduce_window, because its windows are too large for loops over
/// their elements.
bool has_kernel_windows(const ir::Op& reduce_window);

/// The extents of a window, one for each dimension of the operand.
ir::Dims window_sizes(const ir::Op& op);

/// The index of the element at `tap`, an index in the window, of the window at `window`.
IndexMap tap_map(const IndexMap& window, const ir::Dims& sizes, const ir::Dims& tap);

/// The inverse: the window that contains an element, and the position in it. Empty for an element after the
/// last window of a dimension.
struct WindowPlace {
  IndexMap window;
  ir::Dims tap;
};
std::optional<WindowPlace> window_place(const ir::Op& select_and_scatter, const IndexMap& map);

}  // namespace cornu::inline v0::backends::cpu
