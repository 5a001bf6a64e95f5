#pragma once

#include <string>

#include "cornu/runtime/executable.h"

namespace cornu::inline v0::backends::pjrt {

/// What a program's products are computed with: what it says itself, else what its client was told.
runtime::Precision precision_of(const runtime::StepProgram& program, runtime::Precision of_client);

/// StableHLO text, as ir::to_stablehlo prints it, whose dots and convolutions ask for a precision: by
/// precision_config, dots of f32 for kBf16 and kTf32 by an algorithm too, which StableHLO's convolutions do
/// not have. Without it devices take what is fastest.
std::string with_precision(const std::string& text, runtime::Precision precision);

}  // namespace cornu::inline v0::backends::pjrt
