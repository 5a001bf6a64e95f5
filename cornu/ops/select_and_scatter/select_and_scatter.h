#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "cornu/ir/builder.h"
#include "cornu/ops/compare/compare.h"

namespace cornu::inline v0::ops {

/// Windows without dilation, one entry a dimension of the operand. Empty lists stand for strides of 1 and no
/// padding.
struct PoolWindow {
  ir::Dims dimensions;
  ir::Dims strides = {};
  ir::Dims padding_low = {};
  ir::Dims padding_high = {};
};

/// Builds a body of two scalars.
using ScalarBody = std::function<ir::Value(ir::Builder&, ir::Value, ir::Value)>;

/// Adds each element of `source` to the element of `operand`'s shape that its window selects: the gradient of
/// a max pool.
///
/// Semantics: a window's selected element is what is left of its elements (not of its padding) when
///            select(kept, next) decides what to keep; result[i] = scatter over init_value and the source of
///            each window that selects i.
/// Shapes:    source: one element a window; init_value: scalar; result: as operand.
/// Types:     any; all share one dtype.
/// Errors:    InvalidArgument when a constraint (C1)..(C10) of the specification does not hold; the message
///            carries its label.
/// Gradient:  select by >= or <=, scatter by addition, constant init: the source gets what its selected
///            element has; none for the operand. Others: Unimplemented.
/// Source:    StableHLO specification, select_and_scatter.
ir::Value select_and_scatter(ir::Builder& builder, ir::Value operand, ir::Value source, ir::Value init_value,
                             const PoolWindow& window, const ScalarBody& select, const ScalarBody& scatter);

/// Selects by a comparison (kGe: the first maximum, kLe: the first minimum) and adds from 0.
ir::Value select_and_scatter_add(ir::Builder& builder, ir::Value operand, ir::Value source,
                                 const PoolWindow& window, ComparisonDirection select);

/// The windows of a select_and_scatter op, every list filled.
PoolWindow select_window(const ir::Op& select_and_scatter);

/// True if a region `select` is `kept >= next` (or <=), as `direction` specifies.
bool selects_by(const ir::Block& select, std::string_view direction);

/// The attributes of an op with these windows, every list filled, and the windows in such attributes.
ir::Attributes pool_window_attributes(const PoolWindow& window, std::size_t rank);
PoolWindow read_pool_window(const ir::Attributes& attributes);

namespace select_and_scatter_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
