#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// `value`, whose gradient goes to `source` instead of to what made it: a variable's value that was assigned,
/// for gradients with respect to the variable.
///
/// Semantics: the result is `value`, whatever `source` is.
/// Shapes:    both have one shape, which is the result's.
/// Types:     any; both have one dtype, which is the result's.
/// Errors:    InvalidArgument when the types differ.
/// Gradient:  of source: the incoming gradient; of value: none.
/// Source:    composite cornu.redirect_gradient.
ir::Value redirect_gradient(ir::Builder& builder, ir::Value value, ir::Value source);

/// True if the op is a redirect_gradient: its result is its first operand, as a separate value for tapes.
bool is_redirect_gradient(const ir::Op& op);

namespace redirect_gradient_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
