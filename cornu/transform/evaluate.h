#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "cornu/ir/clone.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

namespace cornu::inline v0::transform {

/// The outer values that a region uses.
using Environment = std::unordered_map<ir::Value, ir::Literal, ir::ValueHash>;

/// Evaluates a function by the reference kernel of each op; composites by their decomposition.
///
/// Errors: Unimplemented, with the op, for dtypes without kernels. Argument types must match (checked by
///         CORNU_CHECK).
std::vector<ir::Literal> evaluate(const ir::Function& function, std::span<const ir::Literal> arguments);

/// Evaluates one op; `captured` has the outer values of its regions (see captured_values).
std::vector<ir::Literal> evaluate_op(const ir::Op& op, std::span<const ir::Literal> operands,
                                     const Environment& captured = {});

using ir::captured_values;

}  // namespace cornu::inline v0::transform
