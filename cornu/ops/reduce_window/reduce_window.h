#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops {

/// Positions of windows; one entry a dimension of the operand. Empty lists mean 1 (strides, dilations) and
/// 0 (padding).
struct WindowOptions {  // options/ops.toml
  /// Extents of a window, one for each dimension of the operand.
  ir::Dims dimensions;
  /// Distance of neighbouring windows in elements, for each dimension; empty: 1.
  ir::Dims strides = {};
  /// Distance of the operand's elements in the dilated operand, for each dimension; gaps hold the initial
  /// value. Empty: 1, without gaps.
  ir::Dims base_dilations = {};
  /// Distance of a window's elements in the dilated operand, for each dimension; empty: 1, without gaps.
  ir::Dims window_dilations = {};
  /// Initial values before the first element of each dimension, negative to cut; empty: 0.
  ir::Dims padding_low = {};
  /// Initial values after the last element of each dimension, negative to cut; empty: 0.
  ir::Dims padding_high = {};
};

/// Combines the elements of each window.
///
/// Semantics: results[i] = body over init_values and the window at i * strides of the padded, dilated inputs.
/// Shapes:    inputs: N tensors of one shape; init_values: N scalars; dim(results, d) = floor((padded(d) -
///            window(d)) / strides[d]) + 1, or 0 when the dilated window is larger than the padded input.
/// Types:     any; inputs[k], init_values[k] and results[k] share a dtype.
/// Errors:    InvalidArgument when a constraint (C1)..(C13) of the specification does not hold; the message
///            carries its label.
/// Gradient:  one input and a constant init, body one of add, multiply, maximum, minimum: a sum is summed
///            over the transposed windows; an extremum flows to the first element of a window that has it; a
///            product multiplies by the products of the others. Other bodies: Unimplemented.
/// Source:    StableHLO specification, reduce_window.
std::vector<ir::Value> reduce_window(ir::Builder& builder, std::vector<ir::Value> inputs,
                                     std::vector<ir::Value> init_values, const WindowOptions& window,
                                     const ReduceBody& body);

/// By one op, from its neutral element.
ir::Value reduce_window_sum(ir::Builder& builder, ir::Value x, const WindowOptions& window);
ir::Value reduce_window_max(ir::Builder& builder, ir::Value x, const WindowOptions& window);
ir::Value reduce_window_min(ir::Builder& builder, ir::Value x, const WindowOptions& window);
ir::Value reduce_window_product(ir::Builder& builder, ir::Value x, const WindowOptions& window);

/// Running totals along one dimension: result[i] = x[0] + ... + x[i], or of i and what follows when reversed.
ir::Value cumulative_sum(ir::Builder& builder, ir::Value x, std::int64_t dimension, bool reversed = false);

/// The windows of a reduce_window op, every list filled.
WindowOptions window_options(const ir::Op& reduce_window);

namespace reduce_window_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
