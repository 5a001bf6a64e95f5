#pragma once

#include <string>

#include "cornu/runtime/executable.h"

namespace cornu::inline v0::backends::pjrt {

/// The precision of a program's products: its own setting, else its client's.
runtime::Precision precision_of(const runtime::StepProgram& program, runtime::Precision of_client);

/// Adds a precision to dots and convolutions in StableHLO text, as printed by ir::to_stablehlo: by
/// precision_config, and for dots of f32 with kBf16 and kTf32 by an algorithm, which StableHLO's convolutions
/// do not have. Without it devices use the fastest precision.
std::string with_precision(const std::string& text, runtime::Precision precision);

}  // namespace cornu::inline v0::backends::pjrt
