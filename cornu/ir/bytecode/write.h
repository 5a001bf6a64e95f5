#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

/// Writes a program as a portable artifact: VHLO 1.7.0 in MLIR bytecode, which jax.export, PJRT plug-ins, XLA
/// and read_bytecode read. Composites come with their decompositions as private functions and without regions,
/// as in to_stablehlo, and locations are the names of ops.
/// Errors: Unimplemented, with the op, for an attribute that VHLO 1.7.0 has no property for.
std::string to_bytecode(const Module& module);
std::string to_bytecode(const Function& function);

}  // namespace cornu::inline v0::ir
