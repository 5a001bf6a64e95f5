#pragma once

#include <string>
#include <vector>

#include "cornu/runtime/device_group.h"
#include "cornu/runtime/processes.h"

namespace cornu::inline v0::distribute {

/// The devices of this process that replicas are to run on, and how far these reach.
struct ProcessDevices {
  std::vector<std::string> names;
  runtime::GroupReach reach = runtime::GroupReach::kThisProcess;
};

/// What `asked` of MultiWorkerMirroredStrategy stands for: names of devices, or one client ("pjrt:cuda").
/// Devices of a plug-in are connected here, so that the plug-in knows those of all processes.
/// All processes call it together.
/// Errors: on all of them, FailedPrecondition when they ask for devices of different kinds, or get such, or a
///         plug-in's devices were used before; InvalidArgument for names that are not 0, 1, ... of one kind;
///         what one of them could not do.
ProcessDevices devices_of_processes(runtime::Processes& processes, const char* strategy,
                                    const std::vector<std::string>& asked);

}  // namespace cornu::inline v0::distribute
