#pragma once

#include <memory>
#include <string>

#include "cornu/backends/pjrt/precision.h"
#include "cornu/backends/pjrt/target.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::pjrt {

/// A client of a chip that is not there: programs are compiled for it by its plug-in and can be explained,
/// with a prediction from the chip's published peaks. Tensors stay in the host's memory;
/// executions are refused. `num_steps`: how many steps an execution has; explain() then also reports
/// on the program of so many.
/// Errors: NotFound when the plug-in is not there; the plug-in's when it does not know the target.
std::shared_ptr<runtime::Client> make_ahead_client(const Target& target, std::int64_t num_steps,
                                                   runtime::Precision precision);

}  // namespace cornu::inline v0::backends::pjrt
