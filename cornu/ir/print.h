#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir {

/// The module as StableHLO text that StableHLO's own parser accepts: a func.func a function, ops in MLIR's
/// generic form (elementwise ones in the short form), composites as stablehlo.composite with their
/// decompositions as private functions.
std::string to_stablehlo(const Module& module);
std::string to_stablehlo(const Function& function);

/// The function with the arguments marked whose memory a result may take over: donations[i] is the number of
/// the result that replaces argument i, or kNotDonated. It prints as the argument attribute
/// tf.aliasing_output, which XLA and the plug-ins of PJRT understand.
/// Errors: InvalidArgument unless there is one entry an argument and each names a result of the argument's
///         type that no other names.
inline constexpr std::int64_t kNotDonated = -1;
std::string to_stablehlo(const Function& function, std::span<const std::int64_t> donations);
/// The same text, line for line, with the op's location behind each: loc("dense_1").
/// Compilers name it in errors.
std::string to_stablehlo_with_locations(const Function& function, std::span<const std::int64_t> donations);

/// A literal as MLIR's dense<...> (without its type); non-finite and non-decimal floats as hexadecimal bit
/// patterns.
std::string dense_str(const Literal& literal);

}  // namespace cornu::inline v0::ir
