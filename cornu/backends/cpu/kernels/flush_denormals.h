#pragma once

#include "cornu/base/float_environment.h"

namespace cornu::inline v0::backends::cpu {

/// The environment of compiled code. Subnormal numbers are zero: optimizer slots decay into them, and each
/// one costs some hundred cycles.
struct FlushDenormals : FloatEnvironment {
  FlushDenormals() : FloatEnvironment(Subnormals::kZero) {}
};

}  // namespace cornu::inline v0::backends::cpu
