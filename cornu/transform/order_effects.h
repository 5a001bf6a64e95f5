#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// True if the op, also in its regions, calls a function of the host program that has side effects.
bool has_effects(const ir::Op& op);

/// Makes the order of side effects a dependence of data, so that no pass may drop, merge, repeat or move them.
///
/// Semantics: a token, a value that is never read, goes through all host calls with side effects in the
///            program's order. A loop carries it, a branch has it as a result. The token after the last
///            call is the program's last result. A loop's condition with side effects is computed before the
///            loop and at the end of its body.
/// Errors:    Unimplemented for a call in the body of an op other than a loop or a branch.
/// Returns null if there are no such calls.
std::unique_ptr<ir::Function> order_effects(const ir::Function& function);

}  // namespace cornu::inline v0::transform
