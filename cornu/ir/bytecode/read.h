#pragma once

#include <string_view>

#include "cornu/ir/parse.h"

/// Reader of StableHLO programs in MLIR bytecode: portable artifacts, which hold StableHLO's versioned form
/// VHLO, as jax.export, stablehlo.serialize_portable_artifact and PJRT clients write them.
///
/// The bytes are untrusted, with the limits of ir/parse.h.
namespace cornu::inline v0::ir {

/// True if a program begins like MLIR bytecode.
bool is_bytecode(std::string_view program);

/// Reads a module from bytecode of versions 2 to 6 (VHLO 0.12 and later).
///
/// Errors: InvalidArgument "NAME: byte OFFSET: ..." for bytes that are no portable artifact or break an op's
///         rule; Unimplemented for ops, types and attributes that Cornu does not have; ResourceExhausted for
///         sizes beyond 63 bits.
/// Threads:  safe.
ParsedModule read_bytecode(std::string_view program, FindOp find_op, const ParseOptions& options = {});

}  // namespace cornu::inline v0::ir
