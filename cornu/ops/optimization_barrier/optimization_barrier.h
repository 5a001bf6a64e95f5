#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Passes its operands on. Compilers do not move operations over it; the CPU engine neither merges equal ops on
/// both sides nor joins their loops (docs/adr/0159).
///
/// Semantics: result[i] = operands[i].
/// Shapes:    those of the operands.
/// Types:     any.
/// Gradient:  passed on.
/// Source:    StableHLO specification, optimization_barrier; (C1) holds by inference.
std::vector<ir::Value> optimization_barrier(ir::Builder& builder, std::vector<ir::Value> operands);

namespace optimization_barrier_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
