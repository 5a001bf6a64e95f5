#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cornu/backends/pjrt/precision.h"
#include "cornu/transform/step_loop.h"

namespace cornu::inline v0::backends::pjrt {

/// What a plug-in gets for a loop.
struct ProgramText {
  std::string text;                          // StableHLO, with donations
  std::vector<ir::TensorType> slab_types;    // of the arguments that hold rows
  std::vector<ir::TensorType> output_types;  // of the results behind the state
  std::size_t state_bytes = 0;
  /// Of a step, as the text says it: multiplications and additions of dots and convolutions, and one an
  /// element of other results; the bytes of all arguments and results, each once.
  double step_flops = 0;
  double step_bytes = 0;
};

/// Composites are replaced by what they stand for; results of a loop of one step have the step's types,
/// without an extent of 1 in front. `device_type` as runtime::DeviceInfo has it.
/// Errors: Unimplemented for what the plug-ins of such devices do not compute, or compute wrongly.
ProgramText program_text(const transform::StepLoop& loop, runtime::Precision precision,
                         std::string_view device_type);

/// The same text with the layer behind each op, for errors.
std::string located_program_text(const transform::StepLoop& loop, runtime::Precision precision);

/// The layer that a compiler's message about such text names; empty when it names none.
std::string layer_in(std::string_view message);

}  // namespace cornu::inline v0::backends::pjrt
