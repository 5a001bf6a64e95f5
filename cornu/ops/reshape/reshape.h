#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The same elements in row-major order under another shape.
///
/// Shapes:    x: any; result: dims with as many elements.
/// Types:     any; the result has x's dtype.
/// Errors:    InvalidArgument when (C2) the number of elements differs. (C1, the element type, holds by
///            construction.)
/// Gradient:  a reshape to x's shape.
/// Source:    StableHLO specification, reshape.
ir::Value reshape(ir::Builder& builder, ir::Value x, ir::Dims dims);

namespace reshape_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
