#pragma once

#include <string>

#include "cornu/base/checked_size.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/reduce_window/reduce_window.h"

/// Functions that ops with windows share.
namespace cornu::inline v0::ops {

/// (extent - 1) * dilation + 1, or 0 for an empty dimension. Errors: ResourceExhausted beyond 63 bits.
inline std::int64_t dilated_extent(std::int64_t extent, std::int64_t dilation) {
  return extent == 0 ? 0 : ((CheckedSize(extent) - 1) * dilation + 1).value("an extent with its dilation");
}

/// The number of windows that fit; `window` and `padded` are dilated and padded already.
inline std::int64_t count_windows(std::int64_t padded, std::int64_t window, std::int64_t stride) {
  return padded <= 0 || window > padded ? 0 : (padded - window) / stride + 1;
}

struct TransposedPadding {
  std::int64_t low, high;
};
/// Padding of the results' gradients, so that the reversed window computes the gradient of `extent` elements
/// from them; extents with their dilations, `reach` one less than the window's.
/// Errors: ResourceExhausted beyond 63 bits.
inline TransposedPadding transposed_padding(std::int64_t extent, std::int64_t reach, std::int64_t low,
                                            std::int64_t results) {
  const CheckedSize before = CheckedSize(reach) - low, after = CheckedSize(extent) + low - results;
  return {before.value("the padding of a window's gradient"),
          after.value("the padding of a window's gradient")};
}

/// "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"
std::string print_padding(const ir::Dims& low, const ir::Dims& high);

/// low + extent + high. Errors: ResourceExhausted beyond 63 bits.
inline std::int64_t padded_extent(std::int64_t low, std::int64_t extent, std::int64_t high) {
  return (CheckedSize(low) + extent + high).value("an extent with its padding");
}

/// The extents of the operand after padding and dilation.
ir::Dims padded_extents(const ir::Dims& dims, const ir::Dims& dilations, const ir::Dims& low,
                        const ir::Dims& high);

/// The padded, dilated operand, gaps filled with `fill`.
ir::Value padded_operand(ir::Builder& builder, ir::Value x, ir::Value fill, const WindowOptions& window);

/// The elements of all windows at `offset` within the window: a strided slice of the padded operand, in the
/// shape `windows`.
ir::Value at_window_offset(ir::Builder& builder, ir::Value padded, const ir::Dims& offset,
                           const WindowOptions& window, const ir::Dims& windows);

/// The other way round: `values`, one a window, at their places in a padded operand of zeros, then cut to the
/// operand.
ir::Value from_window_offset(ir::Builder& builder, ir::Value values, const ir::Dims& offset,
                             const WindowOptions& window, const ir::Dims& operand);

/// See reduce_window.h.
std::vector<ir::Value> reduce_window_gradient(const ir::GradientContext& context);

}  // namespace cornu::inline v0::ops
