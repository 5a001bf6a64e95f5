#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Reverses the order of elements along some dimensions.
///
/// Shapes:    the result has x's shape.
/// Types:     any; the result has x's dtype.
/// Errors:    InvalidArgument when (C2) dimensions repeat, (C3) one is outside [0, rank). (C1 holds by
///            construction.)
/// Gradient:  the same reverse.
/// Source:    StableHLO specification, reverse.
ir::Value reverse(ir::Builder& builder, ir::Value x, ir::Dims dimensions);

namespace reverse_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
