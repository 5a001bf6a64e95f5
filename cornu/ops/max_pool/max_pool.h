#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"

namespace cornu::inline v0::ops {

/// The greatest element of each window; padding never counts.
///
/// Semantics: reduce_window by maximum, from the least value of the dtype. A window with a NaN gives NaN.
/// Shapes:    as reduce_window: one element a window.
/// Types:     float; the result has x's dtype.
/// Errors:    InvalidArgument for other dtypes, lists that have not one entry a dimension, extents or strides
///            below 1, and negative padding or such that a window could be inside it altogether.
/// Gradient:  cornu.max_pool_gradient.
/// Source:    Keras, max_pool; composite cornu.max_pool.
ir::Value max_pool(ir::Builder& builder, ir::Value x, const PoolWindow& window);

/// Adds each element of dy to the first greatest element of its window of x: the gradient of max_pool for x.
///
/// Semantics: select_and_scatter by >= and addition.
/// Shapes:    x as max_pool's operand, dy as its result; the result as x.
/// Types:     float, one dtype.
/// Errors:    as max_pool, and InvalidArgument when dy has not the type of max_pool's result.
/// Gradient:  through the decomposition: dy gets what the selected elements have, x nothing.
/// Source:    Keras on JAX, whose maxima take the first of equal ones; composite cornu.max_pool_gradient.
ir::Value max_pool_gradient(ir::Builder& builder, ir::Value x, ir::Value dy, const PoolWindow& window);

/// The windows of either op, every list filled.
PoolWindow max_pool_window(const ir::Op& op);

namespace max_pool_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
