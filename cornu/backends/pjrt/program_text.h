#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cornu/backends/pjrt/precision.h"
#include "cornu/transform/step_loop.h"

namespace cornu::inline v0::backends::pjrt {

/// A loop's program for a plug-in.
struct ProgramText {
  std::string text;                          // StableHLO, with donations
  std::vector<ir::TensorType> stack_types;   // of the arguments with rows
  std::vector<ir::TensorType> output_types;  // of the results after the state
  std::size_t state_bytes = 0;
  /// A step's cost by the text: multiplications and additions of dots and convolutions, and one for each
  /// element of other results; the bytes of all arguments and results, each once.
  double step_flops = 0;
  double step_bytes = 0;
};

/// Prints a loop's program. Composites are replaced by their decompositions; results of a loop of one step
/// have the step's types, without a leading extent of 1. `device_type`: that of runtime::DeviceInfo.
/// Errors: Unimplemented for ops that plug-ins of such devices do not support, or compute wrongly.
ProgramText program_text(const transform::StepLoop& loop, runtime::Precision precision,
                         std::string_view device_type);

/// Prints the same text with the layer after each op, for errors.
std::string located_program_text(const transform::StepLoop& loop, runtime::Precision precision);

/// The layer named in a compiler's message about such text; empty if there is none.
std::string layer_in(std::string_view message);

}  // namespace cornu::inline v0::backends::pjrt
