#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Builds a branch: it takes no arguments, uses values from outside, and returns the results.
using Branch = std::function<std::vector<ir::Value>(ir::Builder&)>;

/// Runs one of two branches.
///
/// Semantics: pred ? true_branch() : false_branch().
/// Shapes:    results: as both branches return.
/// Types:     pred i1; results any.
/// Errors:    InvalidArgument when (I1) pred is not an i1 scalar, (C1) a branch takes arguments, (C2) the
///            branches' results differ in type. (C3 holds by inference.)
/// Gradient:  an if on the same pred whose branches compute the branches again and then their gradients;
///            values that they use from outside get theirs, zero from a branch that does not use them.
/// Source:    StableHLO specification, if.
std::vector<ir::Value> if_(ir::Builder& builder, ir::Value pred, const Branch& true_branch,
                           const Branch& false_branch);

namespace if_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
