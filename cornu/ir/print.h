#pragma once

#include <string>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

/// The module as StableHLO text that StableHLO's own parser accepts: a func.func a function, ops in MLIR's generic form (elementwise
/// ones in the short form), composites as stablehlo.composite with their decompositions as private functions.
std::string to_stablehlo(const Module& module);
std::string to_stablehlo(const Function& function);

/// A literal as MLIR's dense<...> (without its type); non-finite and non-decimal floats as hexadecimal bit patterns.
std::string dense_str(const Literal& literal);

}  // namespace cornu::inline v0::ir
