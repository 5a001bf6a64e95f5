#pragma once

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

/// Checks a finished module: every operand is defined before its use and visible, every op passes its shape
/// rule with its types, and all results exist. Throws InvalidArgument with the function and the op.
void verify(const Module& module);
void verify(const Function& function);

}  // namespace cornu::inline v0::ir
