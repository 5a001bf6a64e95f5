#pragma once

#include <pjrt_c_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/client_settings.h"
#include "cornu/backends/pjrt/plugin.h"
#include "cornu/runtime/client_node.h"
#include "cornu/runtime/key_value_store.h"

/// Clients of several processes that share their lists of devices: their options, and a check that the
/// plug-in has applied them. Most plug-ins ignore unknown options, so everything is verified.
namespace cornu::inline v0::backends::pjrt {

/// Adds the options that tell a plug-in of this name its node number, the number of nodes, and which of the
/// machine's devices it owns, unless the user's settings choose the devices.
void add_node_settings(ClientSettings& settings, const std::string& plugin_name,
                       const runtime::ClientNode& node);

/// The plug-in's numbers of the devices of each node, in ascending order.
using NodeDevices = std::vector<std::vector<std::int64_t>>;

/// Verifies a client's devices against the request; `num_here`: the number of its devices in this process.
/// Errors: Unimplemented if the plug-in lists only this process; FailedPrecondition if it has another number
///         of processes, another number for this one, or another number of devices of a process than
///         requested, or than in this process.
NodeDevices devices_of_nodes(const Plugin& plugin, PJRT_Client* client, const runtime::ClientNode& node,
                             std::size_t num_here);

/// A hint for an error when this node's devices cannot be used: "process 1 of 2 is number 1 on its machine
/// ...".
std::string choice_of_devices(const ClientSettings& settings, const runtime::ClientNode& node);

}  // namespace cornu::inline v0::backends::pjrt
