#pragma once

#include <optional>
#include <vector>

#include "cornu/backends/cpu/plan/plan.h"

/// Windows that loops compute: side by side (as far apart as they are large), without padding or dilation, of
/// few elements, and none along the last dimension. An element belongs to at most one of them, so whatever a
/// window needs is read once, and what is made of it can be written in the same pass.
namespace cornu::inline v0::backends::cpu {

/// Whether loops compute this reduce_window or select_and_scatter.
bool has_plain_windows(const ir::Op& op);

/// Whether a reduce_window is left to the engine's kernel: its windows are too large for loops over their
/// elements.
bool has_kernel_windows(const ir::Op& reduce_window);

/// The extents of a window, one a dimension of the operand.
ir::Dims window_sizes(const ir::Op& op);

/// Every place in a window, row-major.
std::vector<ir::Dims> window_taps(const ir::Dims& sizes);

/// Where the element at `tap` of the window at `window` is.
IndexMap tap_map(const IndexMap& window, const ir::Dims& sizes, const ir::Dims& tap);

/// The other way: which window an element lies in, and where there. Nothing when it lies behind the last
/// window of a dimension.
struct WindowPlace {
  IndexMap window;
  ir::Dims tap;
};
std::optional<WindowPlace> window_place(const ir::Op& select_and_scatter, const IndexMap& map);

}  // namespace cornu::inline v0::backends::cpu
