#pragma once

#include "cornu/runtime/precision.h"

namespace cornu::inline v0::runtime {

/// The precision of programs and eager operations of this process that state none: kAuto at first. A program
/// reads it when it is traced.
/// Threads: safe.
Precision default_precision();
void set_default_precision(Precision precision);

/// The default precision in place of kAuto.
Precision precision_or_default(Precision precision);

}  // namespace cornu::inline v0::runtime
