#pragma once

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

/// Checks a finished module: every operand is defined before its use and visible, every op still passes its
/// shape rule with the types it carries, results exist. Throws InvalidArgument that names function and op.
void verify(const Module& module);
void verify(const Function& function);

}  // namespace cornu::inline v0::ir
