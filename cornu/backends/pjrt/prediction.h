#pragma once

#include <string>

#include "cornu/backends/pjrt/compile.h"
#include "cornu/backends/pjrt/precision.h"
#include "cornu/backends/pjrt/target.h"

namespace cornu::inline v0::backends::pjrt {

/// How long a step takes at least, by what the compiler says of it and what the chip's maker publishes.
struct Prediction {
  double seconds = 0;
  double compute_seconds = 0, memory_seconds = 0;
  /// "compute", "memory", or "nothing the compiler counts".
  std::string bound_by;
};
Prediction predict(const ProgramCosts& costs, const ChipPeaks& peaks, runtime::Precision precision);

/// Lines for people; figures that nobody measured are called predicted.
std::string prediction_text(const ProgramCosts& costs, const Target& target, runtime::Precision precision);

}  // namespace cornu::inline v0::backends::pjrt
