#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ops/if/if.h"

namespace cornu::inline v0::ops {

/// Runs one of several branches.
///
/// Semantics: branches[index](), or the last branch when index is outside [0, N).
/// Shapes:    results: as all branches return.
/// Types:     index i32; results any.
/// Errors:    InvalidArgument when (I1) index is not an i32 scalar, (C1) there is no branch, (C2) a branch
///            takes arguments, (C3) the branches' results differ in type. ((C4) holds by inference.)
/// Gradient:  a case on the same index whose branches are the branches' gradients; values that they use from
///            outside get theirs.
/// Source:    StableHLO specification, case.
std::vector<ir::Value> case_(ir::Builder& builder, ir::Value index, std::span<const Branch> branches);

namespace case_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
