#pragma once

#include <string>
#include <vector>

#include "cornu/runtime/collective.h"
#include "cornu/runtime/device_group.h"

namespace cornu::inline v0::distribute {

/// The devices of this process for replicas, and the reach of their group.
struct ProcessDevices {
  std::vector<std::string> names;
  runtime::GroupReach reach = runtime::GroupReach::kThisProcess;
};

/// Resolves the option `asked` of MultiWorkerMirroredStrategy: names of devices, or one client ("pjrt:cuda").
/// Devices of a plug-in are connected here, so that the plug-in has the list of all processes' devices.
/// All processes call it together.
/// Errors: on all processes, FailedPrecondition if they request or get devices of different kinds, or a
///         plug-in's devices were used before; InvalidArgument for names that are not 0, 1, ... of one kind;
///         any process's own failure.
ProcessDevices devices_of_processes(runtime::Collective& processes, const char* strategy,
                                    const std::vector<std::string>& asked);

}  // namespace cornu::inline v0::distribute
