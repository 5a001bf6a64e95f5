#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Builds a loop's condition: gets the carried values, returns one i1 scalar.
using LoopCondition = std::function<ir::Value(ir::Builder&, std::span<const ir::Value>)>;

/// Builds a loop's body: gets the carried values, returns the next ones.
using LoopBody = std::function<std::vector<ir::Value>(ir::Builder&, std::span<const ir::Value>)>;

/// Repeats `body` on the carried values as long as `condition` holds. Both may use values from outside.
///
/// Semantics: results = operands; while (condition(results)) results = body(results).
/// Shapes:    results: as operands.
/// Types:     any.
/// Errors:    InvalidArgument when (C1) the condition does not map the operands' types to one i1 scalar, (C2)
///            the body does not map the operands' types to themselves. (C3 holds by construction.)
/// Gradient:  a loop that runs backwards: each iteration is computed again from the carried values before it
///            and differentiated. Values that the body uses from outside get the sum over all iterations.
///            The kept states are chosen before the loop runs. A trip count that is known when the graph is
///            built (a counter from a constant to a constant by a constant) gets a slot an iteration; else
///            the count comes from the counter's bound, or from running what the condition needs, and states
///            are kept in a fixed number of slots (kCheckpointSlots) on two levels and computed again in
///            between.
/// Source:    StableHLO specification, while.
std::vector<ir::Value> while_(ir::Builder& builder, std::vector<ir::Value> operands,
                              const LoopCondition& condition, const LoopBody& body);

namespace while_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
