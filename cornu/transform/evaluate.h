#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "cornu/ir/clone.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

namespace cornu::inline v0::transform {

/// The values that a region sees of the blocks around it.
using Environment = std::unordered_map<ir::Value, ir::Literal, ir::ValueHash>;

/// Runs a function by the reference kernel of each op; composites run by their decomposition.
///
/// Errors: Unimplemented, naming the op, for dtypes without kernels. Argument types must fit (our own mistake
///         otherwise).
std::vector<ir::Literal> evaluate(const ir::Function& function, std::span<const ir::Literal> arguments);

/// Runs one op the same way; `captured` holds what its regions use of the blocks around it (see
/// captured_values).
std::vector<ir::Literal> evaluate_op(const ir::Op& op, std::span<const ir::Literal> operands,
                                     const Environment& captured = {});

using ir::captured_values;

}  // namespace cornu::inline v0::transform
