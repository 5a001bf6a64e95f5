#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

/// Prints the module as StableHLO text that StableHLO's own parser accepts: a func.func for each function,
/// ops in MLIR's generic form (elementwise ones in the short form), composites as stablehlo.composite with
/// their decompositions as private functions.
std::string to_stablehlo(const Module& module);
std::string to_stablehlo(const Function& function);

/// Prints the function with donated arguments: donations[i] is the number of the result that may reuse the
/// memory of argument i, or kNotDonated. It is printed as the argument attribute tf.aliasing_output, which
/// XLA and PJRT plug-ins understand.
/// Errors: InvalidArgument unless there is one entry for each argument, and each names a different result of
///         the argument's type.
inline constexpr std::int64_t kNotDonated = -1;
std::string to_stablehlo(const Function& function, std::span<const std::int64_t> donations);
/// Prints the same text, line for line, with the op's location after each op: loc("dense_1"). Compilers use
/// it in errors.
std::string to_stablehlo_with_locations(const Function& function, std::span<const std::int64_t> donations);

/// Prints a literal as MLIR's dense<...> (without its type); non-finite and non-decimal floats as hexadecimal
/// bit patterns.
std::string dense_str(const Literal& literal);

}  // namespace cornu::inline v0::ir
