#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/literal.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// A tensor known while the graph is built.
///
/// Shapes:    ->  value's
/// Types:     any. Attribute "value" (Literal).
/// Errors:    none: (C1), the result's type is the value's, holds by inference.
/// Source:    StableHLO specification, constant.
ir::Value constant(ir::Builder& b, ir::Literal value);

/// A scalar constant; `value` is converted as Literal::scalar does.
ir::Value scalar(ir::Builder& b, ir::DType dtype, double value);

/// A tensor whose elements all are `value`: a scalar constant, broadcast. Large splats are never stored as
/// constants.
ir::Value full(ir::Builder& b, const ir::TensorType& type, double value);

namespace constant_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
