#pragma once

#include <memory>
#include <string>

#include "cornu/backends/pjrt/precision.h"
#include "cornu/backends/pjrt/target.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::pjrt {

/// Makes a client of a target chip that is not present: its plug-in compiles programs, which can be explained
/// with a prediction from the chip's published peaks. Tensors are in host memory; executions throw.
/// `num_steps`: the steps of an execution; explain() also reports on the program for this number.
/// Errors: NotFound if the plug-in is missing; the plug-in's if it does not support the target.
std::shared_ptr<runtime::Client> make_ahead_client(const Target& target, std::int64_t num_steps,
                                                   runtime::Precision precision);

}  // namespace cornu::inline v0::backends::pjrt
