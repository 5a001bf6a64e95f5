#pragma once

#include <string>

#include "cornu/backends/pjrt/compile.h"
#include "cornu/backends/pjrt/precision.h"
#include "cornu/backends/pjrt/target.h"

namespace cornu::inline v0::backends::pjrt {

/// A lower bound of a step's time, by the compiler's costs and the chip's published peaks.
struct Prediction {
  double seconds = 0;
  double compute_seconds = 0, memory_seconds = 0;
  /// "compute", "memory", or "nothing the compiler counts".
  std::string bound_by;
};
Prediction predict(const ProgramCosts& costs, const ChipPeaks& peaks, runtime::Precision precision);

/// Prints the prediction in readable lines; figures that were not measured are marked as predicted.
std::string prediction_text(const ProgramCosts& costs, const Target& target, runtime::Precision precision);

}  // namespace cornu::inline v0::backends::pjrt
